import { commonPrefixLength } from '../../engine/conversation/common-prefix';
import type { ContextMessage } from '../../engine/conversation/context';
import { toolCalls, toolResults } from '../../engine/conversation/entry';
import type { Row } from '../../protocol/view';
import type { CallAnswers, RowSurroundings } from './row-surroundings';

/** Makes the rows of one message, which are as many whatever answers its calls. */
interface RowMaker {
  rowsOfOne(message: ContextMessage, calls: CallAnswers, around: RowSurroundings): readonly Row[];
}

/**
 * The rows of a context, kept from one state of it to the next. What stayed the same from the start on is not looked at
 * again, apart from calls that were answered since.
 */
export class GrowingRows {
  #around: RowSurroundings | null = null;
  #messages: readonly ContextMessage[] = [];
  #rows: readonly Row[] = [];
  /** Where the rows of each message begin. */
  #starts: number[] = [];
  #calls = new CallTable();

  constructor(private readonly maker: RowMaker) {}

  /** Null where ids of calls are not unique, or a result stands before its call: then a row may depend on any other. */
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

/** Which message calls what, and which one answers. */
class CallTable implements CallAnswers {
  readonly answers = new Map<string, ContextMessage>();
  /** The index of the message that calls, by the id of the call. */
  readonly called = new Map<string, number>();
  /** Every call has an id of its own, at most one answer, and that after it. */
  isPlain = true;

  /** The end of the list, from `start` on, is exchanged. Returns which messages before it are answered differently. */
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
