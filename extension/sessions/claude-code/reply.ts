import {
  type Entry,
  type Origin,
  type Part,
  type ToolCallPart,
  toolCalls,
  type Usage,
} from '../../engine/conversation/entry';
import { asCount, asList, asName, asRecord, type JsonRecord } from '../records/json';
import { replyParts } from './content';
import type { ReplyEnds } from './reply-ends';
import type { ResultNode } from './rows';

/**
 * One reply of the model. The file spends a row on each content block of it; the rows share `message.id`. The entry is
 * made when it is asked for, so that a reply of many rows costs no more than its rows.
 */
export class Reply {
  readonly #rows: ReplyRow[] = [];
  #usage: Usage | null = null;
  #model: string | null = null;
  #entry: Entry | null = null;
  #stopReason: unknown;
  #hasEnded = false;
  #saysNothing = false;
  readonly #results = new Map<string, ResultNode>();

  /** @param id the first row's uuid: it stays the same while the reply grows. */
  constructor(
    readonly id: string,
    /** Where the entry stands among all entries. */
    readonly position: number,
    /** False for an error of the API that Claude Code shows as if the model had said it: it is never sent back. */
    readonly sent: boolean,
    private readonly timestamp: string | null,
    private readonly origin: Origin,
    private readonly ends: ReplyEnds,
  ) {}

  add(uuid: string, message: JsonRecord): ToolCallPart[] {
    const parts = asList(message.content).flatMap(replyParts);
    this.#rows.push({ uuid, parts });
    this.#stopReason = message.stop_reason;
    if (this.sent) this.ends.noteReply(this.id, message.stop_reason);
    this.#saysNothing = Array.isArray(message.content) && message.content.length === 0 && this.#rows.length === 1;
    // Every row repeats the usage of the whole reply as it was known then; the output grows, so the last one counts.
    this.#usage = usageOf(message.usage) ?? this.#usage;
    this.#model = asName(message.model) ?? this.#model;
    this.#entry = null;
    return parts.filter((part) => part.type === 'tool_call');
  }

  /** A result whose row follows a row of this reply. Of several for one call the first counts. */
  noteResult(result: ResultNode): void {
    if (!this.#results.has(result.callId)) this.#results.set(result.callId, result);
  }

  resultOf(callId: string): ResultNode | undefined {
    return this.#results.get(callId);
  }

  /** A row says that the turn is over. */
  noteEnd(): void {
    this.#hasEnded = true;
  }

  /** More of it is about to be written. */
  get isUnfinished(): boolean {
    if (this.#hasEnded) return false;
    if (this.#stopReason === 'tool_use') return toolCalls(this.entry.parts).length === 0;
    return this.#stopReason === null && this.ends.areTold(this.id);
  }

  /** As it is sent: seen with 2.1.330, a text of its own takes the place of an empty list of blocks. */
  get sentEntry(): Entry {
    return this.#saysNothing ? { ...this.entry, parts: [{ type: 'text', text: '(no content)' }] } : this.entry;
  }

  get entry(): Entry {
    this.#entry ??= this.#build(this.#rows);
    return this.#entry;
  }

  /** The reply with only those rows that a compaction kept. */
  entryOf(uuids: ReadonlySet<string>): Entry {
    const kept = this.#rows.filter((row) => uuids.has(row.uuid));
    return kept.length === this.#rows.length ? this.entry : this.#build(kept);
  }

  #build(rows: readonly ReplyRow[]): Entry {
    return {
      id: this.id,
      role: 'assistant',
      parts: rows.flatMap((row) => row.parts),
      timestamp: this.timestamp,
      origin: this.origin,
      ...(this.#usage !== null && this.#model !== syntheticModel ? { usage: this.#usage } : {}),
      ...(this.#model !== null && this.#model !== syntheticModel ? { model: this.#model } : {}),
    };
  }
}

interface ReplyRow {
  readonly uuid: string;
  readonly parts: readonly Part[];
}

/** Stands as the model of replies that Claude Code wrote itself. */
export const syntheticModel = '<synthetic>';

/** Null also where every number is zero: no reply of a model cost nothing. */
function usageOf(value: unknown): Usage | null {
  const fields = asRecord(value);
  if (fields === null) return null;
  const usage: Usage = {
    input: asCount(fields.input_tokens) ?? 0,
    output: asCount(fields.output_tokens) ?? 0,
    cacheRead: asCount(fields.cache_read_input_tokens) ?? 0,
    cacheWrite: asCount(fields.cache_creation_input_tokens) ?? 0,
  };
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : null;
}
