import { type Part, textOf } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { userContent } from './content';
import { authorOf } from './person';

/** A message that was typed while the agent was working. */
interface QueuedMessage {
  readonly parts: readonly Part[];
  readonly timestamp: string | null;
  /** The line of the record with its text. */
  readonly line: number;
}

interface Waiting extends QueuedMessage {
  readonly text: string;
  isSaid: boolean;
}

const queueRecord = s.record({ operation: s.name, content: s.anything, timestamp: s.name, reason: s.name });

/** Reasons for which this conversation removes a message from the queue. Other reasons belong to subagents. */
const ownReasons: ReadonlySet<string | null> = new Set([null, 'absorbed_mid_turn']);

/** Texts that are not prompts of the person: commands, and messages of other sessions and programs in these tags. */
const notTyped = /^\s*(?:\/[\w:.-]+(?:\s|$)|<(?:cross-session-message|teammate-message|channel)[\s>])/;

/**
 * The queue of messages that a person types while the agent is working. Its records are outside the tree:
 * - `enqueue` contains the text.
 * - `dequeue` takes the first message for a new turn. A user row contains it.
 * - `remove` takes a message into the running turn. An attachment `queued_command` contains it; older versions write
 *   none, so the text is only in the queue. Without a text, it takes what the person typed before a notification that
 *   has waited for longer: version 2.1.49 leaves those for the end of the turn. A cancelled message looks the same and
 *   is shown too, so that no sent message is lost.
 * - `popAll` returns the messages to the person.
 */
export class MessageQueue {
  #waiting: Waiting[] = [];
  /** Messages that were taken for a new turn. */
  #dequeued: Waiting[] = [];
  /** Messages that were taken into the running turn. */
  #removed: Waiting[] = [];

  note(record: s.JsonRecord, line: number): void {
    const { operation, content, timestamp, reason } = s.read(queueRecord, record);
    const { parts } = userContent(content);
    const text = textOf(parts);
    switch (operation) {
      case 'enqueue':
        this.#waiting.push({ parts, text, timestamp, line, isSaid: false });
        break;
      case 'dequeue':
        this.#dequeued.push(...this.#take(text));
        break;
      case 'remove':
        if (ownReasons.has(reason)) this.#removed.push(...this.#take(text, isTyped));
        else this.#take(text);
        break;
      case 'popAll':
        if (text === '') this.#waiting = [];
        else this.#take(text);
    }
  }

  /** A user row starts a turn with the dequeued messages, even if it contains them in another form. */
  noteUserText(text: string): void {
    this.#dequeued = [];
    this.#removed = this.#removed.filter((message) => !hasLines(text, message.text));
    this.#noteWaiting(text);
  }

  /** If no removed message has this text, the oldest one is taken, because the text may have another form. */
  noteQueuedCommand(text: string): void {
    const index = this.#removed.findIndex((message) => isSameText(message.text, text));
    if (index >= 0) this.#removed.splice(index, 1);
    else if (!this.#noteWaiting(text)) this.#removed.shift();
  }

  /** Whether a message was taken that no row has contained so far. */
  get hasUnsaid(): boolean {
    return this.#dequeued.length + this.#removed.length > 0;
  }

  /** Removes and returns the person's taken messages that no row contains. Called when the agent replies to them. */
  takeUnsaid(): readonly QueuedMessage[] {
    const taken = [...this.#dequeued, ...this.#removed].sort((one, other) => one.line - other.line);
    this.#dequeued = [];
    this.#removed = [];
    return taken.filter((message) => !message.isSaid && isTyped(message));
  }

  /** Removes the message with this text from the queue; without a text, the first preferred one, or the first one. */
  #take(text: string, isPreferred: (message: Waiting) => boolean = () => true): Waiting[] {
    const index =
      text === ''
        ? Math.max(0, this.#waiting.findIndex(isPreferred))
        : this.#waiting.findIndex((message) => message.text === text);
    return index < 0 ? [] : this.#waiting.splice(index, 1);
  }

  /** The attachment may be written before the record that takes the message out. */
  #noteWaiting(text: string): boolean {
    const message = this.#waiting.find((each) => !each.isSaid && isSameText(each.text, text));
    if (message !== undefined) message.isSaid = true;
    return message !== undefined;
  }
}

function isTyped({ parts, text }: Waiting): boolean {
  const isBlank = parts.every((part) => part.type === 'text' && part.text.trim() === '');
  return !isBlank && !notTyped.test(text) && authorOf({}, parts) === 'person';
}

function isSameText(one: string, other: string): boolean {
  return one.trim() === other.trim();
}

/** Several messages may be sent as one, so the text is compared by its lines. */
function hasLines(text: string, lines: string): boolean {
  return `\n${text.trim()}\n`.includes(`\n${lines.trim()}\n`);
}
