import type { Entry } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { type Line, readLine } from '../../../platform/lines/line';
import { refusals } from '../../../sessions/fork/fork-format';
import { isInTree } from '../format/tree-row';

const rowRecord = s.record({
  type: s.text,
  subtype: s.name,
  isSidechain: s.flag,
  parentUuid: s.anything,
  logicalParentUuid: s.name,
  message: s.record({ id: s.name, content: s.records({ type: s.name, tool_use_id: s.name }) }),
  compactMetadata: s.record({ preservedMessages: s.record({ uuids: s.texts }) }),
});
const stateRecord = s.record({ leafUuid: s.name, messageId: s.name });

/** The fields of a row that determine its ancestors. */
interface TreeRow {
  readonly line: number;
  readonly type: string;
  readonly isBoundary: boolean;
  readonly parent: TreeRow | null;
  readonly messageId: string | null;
  /** It contains the result of a call. */
  readonly answers: boolean;
  /** Uuids of older rows that a compaction preserved. */
  readonly preserved: readonly string[];
}

/** Rows of these types may come between a call and its result. */
const linkTypes = new Set(['progress', 'attachment', 'system']);

/** The rows that lead to one row, by their parents; across a compaction, the row before it is the parent. */
interface Branch {
  readonly isEmpty: boolean;
  keeps(line: number, record: s.JsonRecord): boolean;
}

export async function branchBefore(prompt: Entry, lines: AsyncIterable<Line>): Promise<Branch> {
  const { line } = prompt.origin;
  const tree = await treeUpTo(prompt, lines);
  const kept = keptRows(tree);
  const keptLines = new Set([...kept].map((row) => row.line));
  const isKept = (uuid: string): boolean => keptLines.has(tree.byUuid.get(uuid)?.line ?? 0);
  return {
    isEmpty: ![...kept].some((row) => row.type === 'user' || row.type === 'assistant'),
    keeps: (number, record) => number < line && (keptLines.has(number) || isStateOf(record, isKept)),
  };
}

interface Tree {
  readonly rows: readonly TreeRow[];
  readonly byUuid: ReadonlyMap<string, TreeRow>;
  /** The parent of the row before which the branch ends. */
  readonly leaf: TreeRow | null;
}

async function treeUpTo(prompt: Entry, lines: AsyncIterable<Line>): Promise<Tree> {
  const rows: TreeRow[] = [];
  const byUuid = new Map<string, TreeRow>();
  for await (const line of lines) {
    const reading = readLine(line);
    const record = reading.kind === 'record' ? reading.record : null;
    const row = record === null ? null : treeRow(record, line.number, byUuid, rows.at(-1) ?? null);
    const uuid = s.read(s.name, record?.uuid) ?? `line-${line.number}`;
    if (line.number >= prompt.origin.line) {
      // No row contains queued messages; they were typed after the newest row.
      const isQueued = record?.type === 'queue-operation';
      if (line.number > prompt.origin.line || !isOfRow(prompt.id, uuid) || (row === null && !isQueued)) break;
      return { rows, byUuid, leaf: row === null ? (rows.at(-1) ?? null) : sentRow(row.parent) };
    }
    if (row === null) continue;
    rows.push(row);
    byUuid.set(uuid, row);
  }
  throw refusals.promptMoved();
}

/** A boundary is not sent itself: the parent of its summary is the row before the boundary. */
function sentRow(row: TreeRow | null): TreeRow | null {
  return row?.isBoundary ? row.parent : row;
}

/** An entry's id is the uuid of its row, with a suffix for repeated ids (`#`) and for several entries of one row. */
function isOfRow(id: string, uuid: string): boolean {
  return id === uuid || id.startsWith(`${uuid}#`) || id.startsWith(`${uuid}:`);
}

/** Null for state, and for rows of a subagent in the parent's file (older versions). */
function treeRow(
  record: s.JsonRecord,
  line: number,
  byUuid: ReadonlyMap<string, TreeRow>,
  newest: TreeRow | null,
): TreeRow | null {
  const { type, subtype, isSidechain, message, compactMetadata, ...parents } = s.read(rowRecord, record);
  if (!isInTree(record) || isSidechain) return null;
  const isBoundary = subtype === 'compact_boundary';
  const parentUuid = isBoundary ? parents.logicalParentUuid : s.read(s.name, parents.parentUuid);
  const isRoot = parents.parentUuid === null && !isBoundary;
  return {
    line,
    type,
    isBoundary,
    parent: isRoot ? null : (byUuid.get(parentUuid ?? '') ?? newest),
    messageId: message.id,
    answers: message.content.some((block) => block.type === 'tool_result' && block.tool_use_id !== null),
    preserved: compactMetadata.preservedMessages.uuids,
  };
}

/**
 * The path, the other rows of its replies, the results of their parallel calls, and the rows its compactions preserved.
 */
function keptRows({ rows, byUuid, leaf }: Tree): Set<TreeRow> {
  const kept = new Set<TreeRow>();
  for (let row = leaf; row !== null && !kept.has(row); row = row.parent) kept.add(row);
  const path = [...kept];
  for (const uuid of path.flatMap((row) => row.preserved)) {
    const row = byUuid.get(uuid);
    if (row !== undefined) kept.add(row);
  }
  const messageIds = new Set(path.flatMap((row) => row.messageId ?? []));
  for (const row of rows) if (row.messageId !== null && messageIds.has(row.messageId)) kept.add(row);
  for (const row of rows) if (row.answers) addResult(row, kept);
  return kept;
}

function addResult(result: TreeRow, kept: Set<TreeRow>): void {
  const links = [result];
  let above = result.parent;
  while (above !== null && !kept.has(above) && linkTypes.has(above.type)) {
    links.push(above);
    above = above.parent;
  }
  if (above?.type !== 'assistant' || !kept.has(above)) return;
  for (const row of links) kept.add(row);
}

/** Whether this is a row outside the tree that refers to no omitted row. */
function isStateOf(record: s.JsonRecord, isKept: (uuid: string) => boolean): boolean {
  if (isInTree(record) || record.type === 'queue-operation') return false;
  const { leafUuid, messageId } = s.read(stateRecord, record);
  return [leafUuid, messageId].every((uuid) => uuid === null || isKept(uuid));
}
