import type { Entry } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { type Line, recordsIn } from '../../../platform/lines/line';
import { refusals } from '../../../sessions/fork/fork-format';
import { partsWithoutCalls } from '../format/content';

interface TreeNode {
  readonly line: number;
  readonly parent: TreeNode | null;
}

const treeRecord = s.record({
  id: s.name,
  parentId: s.anything,
  message: s.record({ content: s.anything }),
});

/** The lines of the records on the path to this prompt. */
export async function branchBefore(prompt: Entry, lines: AsyncIterable<Line>): Promise<ReadonlySet<number>> {
  const byId = new Map<string, TreeNode>();
  let newest: TreeNode | null = null;
  for await (const { record, line } of recordsIn(lines)) {
    if (record.type === 'session') continue;
    const fields = s.read(treeRecord, record);
    const { id, parentId } = fields;
    const named = typeof parentId === 'string' ? (byId.get(parentId) ?? null) : null;
    const parent: TreeNode | null = parentId === undefined ? newest : named;
    newest = { line: line.number, parent };
    byId.set(id ?? `line-${line.number}`, newest);
    if (line.number === prompt.origin.line && isRecordOf(fields, prompt)) return pathTo(parent);
    if (line.number >= prompt.origin.line) break;
  }
  throw refusals.promptMoved();
}

/** A suffix distinguishes copies of an id. Version 1 has no ids, so the content has to be the same. */
function isRecordOf(record: s.Read<typeof treeRecord>, { id, parts }: Entry): boolean {
  if (record.id !== null) return id === record.id || id.startsWith(`${record.id}#`);
  return JSON.stringify(partsWithoutCalls(record.message.content)) === JSON.stringify(parts);
}

function pathTo(leaf: TreeNode | null): Set<number> {
  const lines = new Set<number>();
  // A parent comes before its child in the file, so the path ends.
  for (let place = leaf; place !== null; place = place.parent) lines.add(place.line);
  return lines;
}
