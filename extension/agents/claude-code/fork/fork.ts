import { dirname, join } from 'node:path';
import type { Entry } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import { endOfString } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { recordsIn } from '../../../platform/lines/line';
import {
  type Chance,
  type CompactedOrder,
  type CopyOrder,
  type ForkFormat,
  type ForkPlace,
  ForkRefused,
  type MendRules,
  refusals,
} from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import type { ParsedSession } from '../../../sessions/session';
import { branchBefore } from './branch';
import { CompactedRows } from './compacted-rows';
import { recordsOfPieces } from './original-rows';

const messageRow = s.record({ message: s.record({ content: s.list }) });
const resultBlock = s.record({ type: s.name, tool_use_id: s.text, content: s.anything });

const claudeCodeMends: MendRules = {
  links: { id: 'uuid', parent: 'parentUuid' },
  asText(row, strays) {
    const { content } = s.read(messageRow, row).message;
    if (row.type !== 'user' || !content.some((block) => strayIn(block, strays) !== null)) return row;
    const blocks = content.flatMap((block) => strayIn(block, strays) ?? [block]);
    return { ...row, isMeta: true, toolUseResult: undefined, message: { role: 'user', content: blocks } };
  },
};

/**
 * Observed with Claude Code 2.1.330: its own fork keeps the rows and their uuids and changes only the session id, and
 * it accepts a compaction written by another program when it resumes a file.
 */
export const claudeCodeFork: ForkFormat = {
  place,
  copy,
  compacted,
  titled: async ({ session: { id }, title }) => ({ type: 'custom-title', customTitle: title, sessionId: id }),
  mends: claudeCodeMends,
};

function place(original: ParsedSession, chance: Chance): ForkPlace {
  const id = chance.uuid();
  return { id, file: join(dirname(original.file), `${id}.jsonl`) };
}

async function* copy({ original, place: { id }, lines, before }: CopyOrder): AsyncGenerator<string> {
  if (original.parent !== undefined)
    throw new ForkRefused(
      localizable('Claude Code cannot resume the conversation of a subagent, so a fork of it would be useless.'),
    );
  const branch = before === null ? null : await branchBefore(before, lines());
  if (branch?.isEmpty) throw refusals.nothingBefore();
  // Claude Code skips unreadable lines too.
  const queued = new QueuedRecords(branch === null ? [] : original.conversation.entries);
  for await (const { record, line } of recordsIn(lines())) {
    queued.note(record, line.number);
    if (branch !== null && !branch.keeps(line.number, record)) continue;
    for (const message of queued.before(line.number)) yield recordLine({ ...message, sessionId: id });
    yield withSessionId(line.text, record, id);
  }
}

/** Changes only the record's own session id: the input of a tool may contain a field of the same name. */
function withSessionId(text: string, record: s.JsonRecord, id: string): string {
  return typeof record.sessionId === 'string' ? withField(text, 'sessionId', JSON.stringify(id)) : text;
}

async function* compacted(order: CompactedOrder): AsyncGenerator<string> {
  const original = await recordsOfPieces(order.pieces, order.lines());
  yield* new CompactedRows(order, original).lines();
}

/** The text of a result without its call, and its pictures. */
function strayIn(block: unknown, strays: ReadonlyMap<string, string>): unknown[] | null {
  const { type, tool_use_id: callId, content } = s.read(resultBlock, block);
  const text = type === 'tool_result' ? strays.get(callId) : undefined;
  if (text === undefined) return null;
  return [{ type: 'text', text }, ...s.read(s.jsonRecords, content).filter((part) => part.type !== 'text')];
}

/** Records of messages that only the queue contains: see `MessageQueue`. Other records of the queue are not copied. */
class QueuedRecords {
  /** The line of the reply to each user entry, by the entry's line. */
  readonly #replies = new Map<number, number>();
  readonly #ofReply = new Map<number, s.JsonRecord[]>();

  constructor(entries: readonly Entry[]) {
    let reply: Entry | null = null;
    for (const entry of [...entries].reverse()) {
      if (entry.role === 'assistant') reply = entry;
      else if (entry.role === 'user' && reply !== null) this.#replies.set(entry.origin.line, reply.origin.line);
    }
  }

  note(record: s.JsonRecord, line: number): void {
    const reply = record.type === 'queue-operation' ? this.#replies.get(line) : undefined;
    if (reply !== undefined) this.#ofReply.set(reply, [...(this.#ofReply.get(reply) ?? []), record]);
  }

  /** Records that put the messages into the queue and take them out, for the place before the reply at this line. */
  before(line: number): s.JsonRecord[] {
    return (this.#ofReply.get(line) ?? []).flatMap((record) => [record, { ...record, operation: 'remove' }]);
  }
}

/**
 * Replaces the value of a top-level string field in the text of a JSON object. `value` is JSON. The rest of the text
 * stays as it is, nested fields of the same name included.
 */
function withField(text: string, name: string, value: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end } of ownStringValues(text, name)) {
    pieces.push(text.slice(copied, start), value);
    copied = end;
  }
  return pieces.join('') + text.slice(copied);
}

/** A range of the text; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function* ownStringValues(text: string, name: string): Generator<Span> {
  let depth = 0;
  let key: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) key = null;
    if (character !== '"') continue;
    const span = { start: at, end: endOfString(text, at + 1) ?? text.length };
    at = span.end - 1;
    if (depth !== 1) continue;
    if (key === null) key = JSON.parse(text.slice(span.start, span.end));
    else if (key === name) yield span;
  }
}
