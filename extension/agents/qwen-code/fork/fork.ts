import { dirname, join } from 'node:path';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { type Line, recordsIn } from '../../../platform/lines/line';
import {
  type Chance,
  type CompactedOrder,
  type CopyOrder,
  type ForkFormat,
  ForkRefused,
  refusals,
  type TitleOrder,
} from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import type { ParsedSession } from '../../../sessions/session';
import { type ChainRow, isInChain, readRow } from '../format/row';
import { contentsOf } from './content';

/** Writes new Qwen Code sessions: the original's rows under another session id, followed by a compression. */
export const qwenCodeFork: ForkFormat = {
  place: (original, chance) => {
    const id = chance.uuid();
    return { id, file: join(dirname(original.file), `${id}.jsonl`) };
  },
  copy,
  compacted,
  titled,
  mends: { links: { id: 'uuid', parent: 'parentUuid' }, asText },
};

type Lines = () => AsyncIterable<Line>;

interface ForkRow {
  readonly record: s.JsonRecord;
  readonly row: ChainRow;
  readonly line: number;
}

async function* rowsOf(lines: Lines): AsyncIterable<ForkRow> {
  for await (const { record, line } of recordsIn(lines())) {
    const row = readRow(record);
    if (isInChain(row)) yield { record, row, line: line.number };
  }
}

/** Rows that describe the original's own parent, or report the end of its turns to a client. They do not apply to a copy. */
const originalOnly = new Set(['parent_session', 'session_source', 'turn_result']);

async function* copy({ original, place, lines, before }: CopyOrder): AsyncIterable<string> {
  if (original.parent !== undefined)
    throw new ForkRefused(localizable('Qwen Code cannot resume the conversation of a subagent.'));
  const chain = await Chain.read(lines);
  const wanted = before === null ? null : chain.before(before.origin.line);
  for await (const { record, row } of rowsOf(lines)) {
    if (chain.isLeftOut(row.uuid) || wanted?.has(row.uuid) === false) continue;
    const parentUuid = chain.keptParent(row.parentUuid || null);
    yield rowText({ ...record, parentUuid, sessionId: place.id }, original.id, place.id);
  }
}

/** The parents of all rows, by id. */
class Chain {
  readonly #parents = new Map<string, string | null>();
  readonly #leftOut = new Set<string>();
  readonly #commands = new Set<string>();
  readonly #messages = new Set<string>();
  readonly #byLine = new Map<number, string>();

  static async read(lines: Lines): Promise<Chain> {
    const chain = new Chain();
    for await (const row of rowsOf(lines)) chain.#add(row);
    return chain;
  }

  #add({ row, line }: ForkRow): void {
    const { uuid, parentUuid, type, subtype } = row;
    this.#byLine.set(line, uuid);
    if (this.#parents.has(uuid)) return;
    this.#parents.set(uuid, parentUuid || null);
    if (type !== 'system') this.#messages.add(uuid);
    else if (subtype === 'at_command') this.#commands.add(uuid);
    else if (subtype !== null && originalOnly.has(subtype)) this.#leftOut.add(uuid);
  }

  isLeftOut(uuid: string): boolean {
    return this.#leftOut.has(uuid);
  }

  keptParent(uuid: string | null): string | null {
    let parent = uuid;
    for (const seen = new Set<string>(); parent !== null && this.#leftOut.has(parent) && !seen.has(parent); ) {
      seen.add(parent);
      parent = this.#parents.get(parent) ?? null;
    }
    return parent;
  }

  /** The rows on the path to the row on this line, without the record of its at-command. */
  before(line: number): ReadonlySet<string> {
    const uuid = this.#byLine.get(line);
    if (uuid === undefined) throw refusals.promptMoved();
    let row = this.#parents.get(uuid) ?? null;
    while (row !== null && this.#commands.has(row)) row = this.#parents.get(row) ?? null;
    const rows = new Set<string>();
    for (; row !== null && !rows.has(row); row = this.#parents.get(row) ?? null) rows.add(row);
    if (![...rows].some((kept) => this.#messages.has(kept))) throw refusals.nothingBefore();
    return rows;
  }
}

async function* compacted({ session, lines, pieces, tokens, chance }: CompactedOrder): AsyncIterable<string> {
  const replies = new Set(pieces.flatMap((piece) => (piece.kind === 'original' ? [piece.entry.origin.line] : [])));
  const rawParts = new Map<number, unknown>();
  let newest: ForkRow | null = null;
  for await (const forkRow of rowsOf(lines)) {
    newest = forkRow;
    const { row, line } = forkRow;
    if (row.type === 'assistant' && replies.has(line)) rawParts.set(line, row.message.parts);
  }
  if (newest === null) throw new ForkRefused(localizable('The session has no row that a compression could follow.'));
  yield rowText({
    ...systemRow(session, newest, chance),
    subtype: 'chat_compression',
    systemPayload: {
      info: {
        originalTokenCount: tokens.before,
        newTokenCount: tokens.after,
        newTokenCountIsEstimated: true,
        compressionStatus: compressed,
        triggerReason: 'manual',
      },
      compressedHistory: contentsOf(pieces, rawParts),
    },
  });
}

/** The row with which Qwen Code itself keeps a title that the person gave. */
async function titled({ session, lines, title, chance }: TitleOrder): Promise<s.JsonRecord> {
  let newest: ForkRow | null = null;
  for await (const row of rowsOf(lines)) newest = row;
  return {
    ...systemRow(session, newest, chance),
    subtype: 'custom_title',
    systemPayload: { customTitle: title, titleSource: 'manual' },
  };
}

/** Qwen Code's status number for a finished compression. */
const compressed = 1;

/** The fields of a row of Qwen Code's own after the newest one. */
function systemRow({ id }: ParsedSession, newest: ForkRow | null, chance: Chance): s.JsonRecord {
  const { cwd, version, gitBranch } = newest?.record ?? {};
  return {
    uuid: chance.uuid(),
    parentUuid: newest?.row.uuid ?? null,
    sessionId: id,
    timestamp: chance.now().toISOString(),
    type: 'system',
    provenance: 'system',
    cwd,
    version,
    gitBranch,
  };
}

/** Prompt ids are `<session id>########<number>`. Qwen Code counts only those with the session's own id as turns. */
function rowText(row: s.JsonRecord, oldId?: string, newId?: string): string {
  const text = recordLine(row);
  return row.type === 'system' && oldId !== undefined && oldId !== ''
    ? text.replaceAll(`"${oldId}########`, `"${newId}########`)
    : text;
}

const messageRow = s.record({ message: s.record({ parts: s.list }) });
const responsePart = s.record({ functionResponse: s.record({ id: s.text }) });

function asText(row: s.JsonRecord, strays: ReadonlyMap<string, string>): s.JsonRecord {
  const { parts } = s.read(messageRow, row).message;
  const mended = parts.map((part) => {
    const text = strays.get(s.read(responsePart, part).functionResponse.id);
    return text === undefined ? part : { text };
  });
  if (mended.every((part, index) => part === parts[index])) return row;
  const message = { ...s.read(s.jsonRecord, row.message), parts: mended };
  return { ...row, type: 'user', provenance: 'system', toolCallResult: undefined, message };
}
