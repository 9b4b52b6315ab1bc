import { type Entry, type Part, textOf } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import {
  blocksFor,
  type Chance,
  type CompactedOrder,
  type EntryPiece,
  type ForkPiece,
  hasContent,
  partsOf,
  refusals,
} from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import { contentParts } from '../format/content';
import type { OriginalRecords } from './original-records';

/** Copies of replies report no usage: the originals report it, and it would make pi compact at once. */
const noUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/**
 * A compaction as pi itself would write it, if that is possible: one summary, and the newest messages by reference.
 * Otherwise the messages are written again: after a summary that keeps nothing or, without a summary at the start, as a
 * separate tree. Version 0.87.1 was observed to send all of this; it adds its prompt by itself.
 */
export class CompactedRecords {
  readonly #taken: Set<string>;
  #parent: string | null;

  constructor(
    private readonly order: CompactedOrder,
    private readonly original: OriginalRecords,
  ) {
    this.#taken = new Set(original.ids.keys());
    this.#parent = original.leaf;
  }

  *lines(): Generator<string> {
    for (const record of this.#records()) yield recordLine(record);
  }

  *#records(): Generator<s.JsonRecord> {
    const [first, ...rest] = this.order.pieces.filter(hasContent);
    if (first === undefined) return;
    const summary = summaryOf(first);
    if (summary === null) return yield* this.#newTree([first, ...rest]);
    const firstKept = this.#firstKept(rest);
    yield this.#compaction(summary, firstKept);
    if (firstKept === null) for (const piece of rest) yield this.#again(piece);
  }

  /** The id of the first kept message, if the pieces are the end of what pi would send anyway. */
  #firstKept(pieces: readonly ForkPiece[]): string | null {
    const sent = this.order.session.conversation.agentContext.filter((entry) => entry.role !== 'system');
    const tail = sent.slice(sent.length - pieces.length);
    const isTail =
      pieces.length <= sent.length &&
      pieces.every((piece, index) => piece.kind === 'original' && !piece.entry.summary && piece.entry === tail[index]);
    const first = isTail ? tail[0]?.id : undefined;
    return first !== undefined && this.original.ids.get(first) === 1 ? first : null;
  }

  #compaction(summary: string, firstKept: string | null): s.JsonRecord {
    const id = this.#id();
    const fields = { summary, firstKeptEntryId: firstKept ?? id, tokensBefore: this.order.tokens.before };
    const { prompt } = this.original;
    const systemMessage = prompt === null ? {} : { systemMessage: prompt };
    return this.#record({ type: 'compaction', ...fields, fromHook: true, ...systemMessage }, id);
  }

  *#newTree(pieces: readonly ForkPiece[]): Generator<s.JsonRecord> {
    this.#parent = null;
    for (const setting of this.original.settings) yield this.#record(setting);
    if (this.original.prompt !== null) yield this.#record({ type: 'message', message: this.original.prompt });
    for (const piece of pieces) yield this.#again(piece);
  }

  #again(piece: ForkPiece): s.JsonRecord {
    if (piece.kind === 'text') {
      const { role, text } = piece;
      return role === 'user' ? this.#note(text) : this.#reply([{ type: 'text', text }]);
    }
    const { entry } = piece;
    if (entry.summary) return this.#note(textOf(partsOf(piece)));
    const record = this.original.records.get(entry.origin.line);
    if (piece.kind === 'original' && record !== undefined) return this.#record(withoutUsage(record));
    return this.#edited(piece, record);
  }

  /** Text in the user role that no person wrote. */
  #note(content: string | readonly s.JsonRecord[]): s.JsonRecord {
    return this.#record({ type: 'custom_message', customType: 'strata', content, display: true });
  }

  #reply(content: readonly s.JsonRecord[]): s.JsonRecord {
    return this.#message({
      role: 'assistant',
      content,
      ...this.original.speaker,
      usage: noUsage,
      stopReason: 'stop',
    });
  }

  #edited(piece: EntryPiece, record: s.JsonRecord | undefined): s.JsonRecord {
    const { entry } = piece;
    const message = s.read(s.jsonRecord, record?.message);
    const recorded = s.read(s.list, message?.content ?? record?.content);
    const content = blocksFor(partsOf(piece), recorded, (block) => contentParts([block])[0], written);
    if (entry.role === 'tool') return this.#result(entry, content, message);
    if (record?.type === 'message' && message !== null)
      return this.#record(withoutUsage({ ...record, message: { ...message, content } }));
    if (record?.type === 'custom_message') return this.#record({ ...record, content });
    if (entry.role === 'assistant') return this.#reply(content);
    return entry.injected ? this.#note(content) : this.#message({ role: 'user', content });
  }

  /** pi may have synthesized the result for a call without one; then it has no record. */
  #result(entry: Entry, content: readonly s.JsonRecord[], message: s.JsonRecord | null): s.JsonRecord {
    const part = entry.parts.find((candidate) => candidate.type === 'tool_result');
    const recorded = message?.role === 'toolResult' ? message : {};
    const fields = { toolCallId: part?.callId ?? '', toolName: part?.name ?? '', isError: part?.isError ?? false };
    return this.#message({ ...recorded, role: 'toolResult', ...fields, content });
  }

  #message(message: s.JsonRecord): s.JsonRecord {
    const timestamp = message.timestamp ?? this.order.chance.now().getTime();
    return this.#record({ type: 'message', message: { ...message, timestamp } });
  }

  /** A record after the newest one. */
  #record(fields: s.JsonRecord, id = this.#id()): s.JsonRecord {
    const timestamp = this.order.chance.now().toISOString();
    const record = { ...fields, id, parentId: this.#parent, timestamp };
    this.#parent = id;
    return record;
  }

  #id(): string {
    const id = freshId(this.#taken, this.order.chance);
    this.#taken.add(id);
    return id;
  }
}

/** Eight digits, like pi's own ids. */
export function freshId(taken: ReadonlySet<string>, chance: Chance): string {
  for (;;) {
    const id = chance.uuid().slice(0, 8);
    if (!taken.has(id)) return id;
  }
}

/** The text of a piece that can be the summary of a compaction: text in the user role that no person wrote. */
function summaryOf(piece: ForkPiece): string | null {
  if (piece.kind === 'text') return piece.role === 'user' ? piece.text : null;
  return piece.entry.summary ? textOf(partsOf(piece)) : null;
}

function withoutUsage(record: s.JsonRecord): s.JsonRecord {
  const message = s.read(s.jsonRecord, record.message);
  return message?.role === 'assistant' ? { ...record, message: { ...message, usage: noUsage } } : record;
}

function written(part: Part): s.JsonRecord[] {
  switch (part.type) {
    case 'text':
    case 'tool_result':
      return [{ type: 'text', text: part.text }];
    case 'tool_call':
      return [
        { type: 'toolCall', id: part.callId, name: part.name, arguments: s.read(s.jsonRecord, part.input) ?? {} },
      ];
    case 'image':
      if (part.data === null) throw refusals.pictureMissing();
      return [{ type: 'image', data: part.data, mimeType: part.mediaType }];
    // Reasoning without a record cannot be signed; schemas are not a message.
    case 'reasoning':
    case 'tool_definitions':
      return [];
  }
}
