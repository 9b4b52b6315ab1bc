import { commonPrefixLength } from '../../engine/conversation/common-prefix';
import type { ContextMessage } from '../../engine/conversation/context';
import { toolCalls, toolResults } from '../../engine/conversation/entry';
import type { Row } from '../../protocol/view';
import type { CallAnswers, RowSurroundings } from './row-surroundings';

/** Builds the rows of one message. Their number must not depend on the results of its calls. */
interface RowMaker {
  rowsOfOne(message: ContextMessage, calls: CallAnswers, around: RowSurroundings): readonly Row[];
}

/**
 * Caches the rows of a growing context. Rows of the unchanged beginning are reused, except for calls that got their
 * results since.
 */
export class GrowingRows {
  #around: RowSurroundings | null = null;
  #messages: readonly ContextMessage[] = [];
  #rows: readonly Row[] = [];
  /** Index of each message's first row. */
  #starts: number[] = [];
  #calls = new CallTable();

  constructor(private readonly maker: RowMaker) {}

  /** Null if call ids are not unique or a result precedes its call, because rows may then depend on any message. */
  rowsOf(messages: readonly ContextMessage[], around: RowSurroundings): Row[] | null {
    if (this.#around !== around) this.#forget();
    this.#around = around;
    const same = commonPrefixLength(this.#messages, messages);
    const answered = this.#calls.change(this.#messages.slice(same), messages.slice(same), same);
    if (!this.#calls.isPlain) {
      this.#forget();
      return null;
    }
    const rows = this.#rows.slice(0, this.#starts[same] ?? this.#rows.length);
    for (const index of answered) this.#replace(rows, messages[index], this.#starts[index] ?? 0);
    this.#append(rows, messages, same);
    this.#messages = messages;
    this.#rows = rows;
    return rows;
  }

  #replace(rows: Row[], message: ContextMessage | undefined, start: number): void {
    if (message) rows.splice(start, this.#rowsOf(message).length, ...this.#rowsOf(message));
  }

  #append(rows: Row[], messages: readonly ContextMessage[], from: number): void {
    this.#starts.length = from;
    for (const message of messages.slice(from)) {
      this.#starts.push(rows.length);
      for (const row of this.#rowsOf(message)) rows.push(row);
    }
  }

  #rowsOf(message: ContextMessage): readonly Row[] {
    return this.#around ? this.maker.rowsOfOne(message, this.#calls, this.#around) : [];
  }

  #forget(): void {
    this.#messages = [];
    this.#rows = [];
    this.#starts = [];
    this.#calls = new CallTable();
  }
}

/** The messages with calls and with their results. */
class CallTable implements CallAnswers {
  readonly answers = new Map<string, ContextMessage>();
  /** Index of the calling message, by call id. */
  readonly called = new Map<string, number>();
  /** Every call has a unique id and at most one result, which follows it. */
  isPlain = true;

  /** Replaces the messages from `start` on. Returns the earlier messages whose results changed. */
  change(removed: readonly ContextMessage[], added: readonly ContextMessage[], start: number): ReadonlySet<number> {
    for (const { parts } of removed) {
      for (const { callId } of toolCalls(parts)) this.called.delete(callId);
      for (const { callId } of toolResults(parts)) this.answers.delete(callId);
    }
    for (const [index, message] of added.entries()) this.#add(message, start + index);
    const results = [...removed, ...added].flatMap(({ parts }) => toolResults(parts));
    const callers = results.map(({ callId }) => this.called.get(callId) ?? start);
    return new Set(callers.filter((index) => index < start));
  }

  #add(message: ContextMessage, index: number): void {
    for (const { callId } of toolResults(message.parts)) {
      if (this.answers.has(callId)) this.isPlain = false;
      this.answers.set(callId, message);
    }
    for (const { callId } of toolCalls(message.parts)) {
      if (this.called.has(callId) || this.answers.has(callId)) this.isPlain = false;
      this.called.set(callId, index);
    }
  }
}
