import { type Entry, textOf } from '../../../engine/conversation/entry';
import type { CompactedOrder, ForkPiece } from '../../fork/fork-format';
import { recordLine } from '../../fork/record-line';
import { asList, asName, asRecord, type JsonRecord } from '../../records/json';
import { blocksOf } from './blocks';
import type { OriginalRecords } from './original-records';

/** Copies of replies cost nothing: their usage stands with the original, and would have pi compact at once. */
const noUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

type EntryPiece = Exclude<ForkPiece, { readonly kind: 'text' }>;

/**
 * A compaction as pi itself would write it where it can say the same: one summary, and the newest messages by
 * reference. Otherwise the messages are written again: behind a summary that keeps nothing or, where no summary comes
 * first, as a tree of their own. All of this was seen to be sent by version 0.87.1, which adds its prompt by itself.
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

  *#records(): Generator<JsonRecord> {
    const [first, ...rest] = this.order.pieces.filter(saysSomething);
    if (first === undefined) return;
    const summary = summaryOf(first);
    if (summary === null) return yield* this.#newTree([first, ...rest]);
    const firstKept = this.#firstKept(rest);
    yield this.#compaction(summary, firstKept);
    if (firstKept === null) for (const piece of rest) yield this.#again(piece);
  }

  /** The id from which on everything is kept, where the pieces are just the end of what pi would send anyway. */
  #firstKept(pieces: readonly ForkPiece[]): string | null {
    const sent = this.order.session.conversation.agentContext.filter((entry) => entry.role !== 'system');
    const tail = sent.slice(sent.length - pieces.length);
    const isTail =
      pieces.length <= sent.length &&
      pieces.every((piece, index) => piece.kind === 'original' && !piece.entry.summary && piece.entry === tail[index]);
    const first = isTail ? tail[0]?.id : undefined;
    return first !== undefined && this.original.ids.get(first) === 1 ? first : null;
  }

  #compaction(summary: string, firstKept: string | null): JsonRecord {
    const id = this.#id();
    const fields = { summary, firstKeptEntryId: firstKept ?? id, tokensBefore: this.order.tokens.before };
    const { prompt } = this.original;
    const systemMessage = prompt === null ? {} : { systemMessage: prompt };
    return this.#record({ type: 'compaction', ...fields, fromHook: true, ...systemMessage }, id);
  }

  *#newTree(pieces: readonly ForkPiece[]): Generator<JsonRecord> {
    this.#parent = null;
    for (const setting of this.original.settings) yield this.#record(setting);
    if (this.original.prompt !== null) yield this.#record({ type: 'message', message: this.original.prompt });
    for (const piece of pieces) yield this.#again(piece);
  }

  #again(piece: ForkPiece): JsonRecord {
    if (piece.kind === 'text') return piece.role === 'user' ? this.#note(piece.text) : this.#reply(piece.text);
    const { entry } = piece;
    if (entry.summary) return this.#note(textOf(partsOf(piece)));
    const record = this.original.records.get(entry.origin.line);
    if (piece.kind === 'original' && record !== undefined) return this.#record(withoutUsage(record));
    return this.#edited(piece, record);
  }

  /** Text in the user role that no person wrote. */
  #note(text: string): JsonRecord {
    return this.#noteOf(text);
  }

  #noteOf(content: string | readonly JsonRecord[]): JsonRecord {
    return this.#record({ type: 'custom_message', customType: 'strata', content, display: true });
  }

  #reply(text: string): JsonRecord {
    return this.#message({
      role: 'assistant',
      content: [{ type: 'text', text }],
      ...this.original.speaker,
      usage: noUsage,
      stopReason: 'stop',
    });
  }

  #edited(piece: EntryPiece, record: JsonRecord | undefined): JsonRecord {
    const { entry } = piece;
    const message = asRecord(record?.message);
    const content = blocksOf(partsOf(piece), asList(message?.content ?? record?.content));
    if (entry.role === 'tool') return this.#result(entry, content, message);
    if (record?.type === 'message' && message !== null)
      return this.#record(withoutUsage({ ...record, message: { ...message, content } }));
    if (record?.type === 'custom_message') return this.#record({ ...record, content });
    if (entry.role === 'assistant')
      return this.#message({
        role: 'assistant',
        content,
        ...this.original.speaker,
        usage: noUsage,
        stopReason: 'stop',
      });
    return entry.injected ? this.#noteOf(content) : this.#message({ role: 'user', content });
  }

  /** pi may have made it up, for a call that never got one: then no record says it. */
  #result(entry: Entry, content: readonly JsonRecord[], message: JsonRecord | null): JsonRecord {
    const part = entry.parts.find((candidate) => candidate.type === 'tool_result');
    const recorded = message?.role === 'toolResult' ? message : {};
    const said = { toolCallId: part?.callId ?? '', toolName: part?.name ?? '', isError: part?.isError ?? false };
    return this.#message({ ...recorded, role: 'toolResult', ...said, content });
  }

  #message(message: JsonRecord): JsonRecord {
    const timestamp = message.timestamp ?? this.order.chance.now().getTime();
    return this.#record({ type: 'message', message: { ...message, timestamp } });
  }

  /** It follows the record before it. */
  #record(fields: JsonRecord, id = this.#id()): JsonRecord {
    const timestamp = this.order.chance.now().toISOString();
    const record = { ...fields, id, parentId: this.#parent, timestamp };
    this.#parent = id;
    return record;
  }

  /** Eight digits, as pi's own. */
  #id(): string {
    for (;;) {
      const id = this.order.chance.uuid().slice(0, 8);
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }
}

function partsOf(piece: EntryPiece): Entry['parts'] {
  return piece.kind === 'edited' ? piece.parts : piece.entry.parts;
}

/** What can stand as the summary of a compaction: text in the user role that no person wrote. */
function summaryOf(piece: ForkPiece): string | null {
  if (piece.kind === 'text') return piece.role === 'user' ? piece.text : null;
  return piece.entry.summary ? textOf(partsOf(piece)) : null;
}

function saysSomething(piece: ForkPiece): boolean {
  return piece.kind !== 'text' || piece.text.trim() !== '';
}

function withoutUsage(record: JsonRecord): JsonRecord {
  const message = asRecord(record.message);
  return asName(message?.role) === 'assistant' ? { ...record, message: { ...message, usage: noUsage } } : record;
}
