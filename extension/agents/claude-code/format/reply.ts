import {
  type Entry,
  type Origin,
  type Part,
  type ToolCallPart,
  toolCalls,
  type Usage,
} from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { reportedUsage } from '../../../sessions/records/usage';
import { replyParts } from './content';
import type { ReplyEnds } from './reply-ends';

const usageFields = s.optionalRecord({
  input_tokens: s.countOrZero,
  output_tokens: s.countOrZero,
  cache_read_input_tokens: s.countOrZero,
  cache_creation_input_tokens: s.countOrZero,
});

export const replyMessage = s.record({
  id: s.name,
  model: s.name,
  content: s.anything,
  stop_reason: s.anything,
  usage: usageFields,
});
export type ReplyMessage = s.Read<typeof replyMessage>;

/**
 * One reply of the model. The file has one row per content block; the rows share `message.id`. The entry is built on
 * demand, so a reply of many rows takes linear time.
 */
export class Reply {
  readonly #rows: ReplyRow[] = [];
  #usage: Usage | null = null;
  #model: string | null = null;
  #entry: Entry | null = null;
  #stopReason: unknown;
  #hasEnded = false;
  #isEmpty = false;
  readonly #results = new Map<string, ResultNode>();

  /** @param id The first row's uuid: it stays the same while the reply grows. */
  constructor(
    readonly id: string,
    /** The index of the entry among all entries. */
    readonly position: number,
    /** False for an API error that Claude Code shows as a reply: it is never sent. */
    readonly sent: boolean,
    private readonly timestamp: string | null,
    private readonly origin: Origin,
    private readonly ends: ReplyEnds,
  ) {}

  add(uuid: string, { content, ...message }: ReplyMessage): ToolCallPart[] {
    const parts = s.read(s.list, content).flatMap(replyParts);
    this.#rows.push({ uuid, parts });
    this.#stopReason = message.stop_reason;
    if (this.sent) this.ends.noteReply(this.id, message.stop_reason);
    this.#isEmpty = Array.isArray(content) && content.length === 0 && this.#rows.length === 1;
    // Every row repeats the usage of the whole reply as known at that time. The output count grows, so the last row
    // counts.
    this.#usage = usageOf(message.usage) ?? this.#usage;
    this.#model = message.model ?? this.#model;
    this.#entry = null;
    return toolCalls(parts);
  }

  /** Notes a result whose row follows a row of this reply. The first result of a call counts. */
  noteResult(result: ResultNode): void {
    if (!this.#results.has(result.callId)) this.#results.set(result.callId, result);
  }

  resultOf(callId: string): ResultNode | undefined {
    return this.#results.get(callId);
  }

  /** Notes that a row ends the turn. */
  noteEnd(): void {
    this.#hasEnded = true;
  }

  /** The reply is not complete yet. */
  get isUnfinished(): boolean {
    if (this.#hasEnded) return false;
    if (this.#stopReason === 'tool_use') return toolCalls(this.entry.parts).length === 0;
    return this.#stopReason === null && this.ends.marksEndOf(this.id);
  }

  /** The entry as Claude Code sends it: version 2.1.330 replaces an empty list of blocks by a text. */
  get sentEntry(): Entry {
    return this.#isEmpty ? { ...this.entry, parts: [{ type: 'text', text: '(no content)' }] } : this.entry;
  }

  get entry(): Entry {
    this.#entry ??= this.#build(this.#rows);
    return this.#entry;
  }

  /** The reply reduced to the rows that a compaction kept. */
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
      ...(this.#model === syntheticModel ? { injected: true } : {}),
    };
  }
}

/** A tool result in the tree. */
export interface ResultNode {
  readonly callId: string;
  readonly entry: Entry;
  /** The row that contains it. */
  readonly uuid: string;
}

interface ReplyRow {
  readonly uuid: string;
  readonly parts: readonly Part[];
}

/** The model of replies that Claude Code wrote itself. */
export const syntheticModel = '<synthetic>';

function usageOf(fields: s.Read<typeof usageFields>): Usage | null {
  if (fields === null) return null;
  return reportedUsage({
    input: fields.input_tokens,
    output: fields.output_tokens,
    cacheRead: fields.cache_read_input_tokens,
    cacheWrite: fields.cache_creation_input_tokens,
  });
}
