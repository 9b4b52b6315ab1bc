import type { Entry, Usage } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { type ClaimedId, UniqueIds } from '../../../platform/json/unique-ids';
import type { IssueAtLine } from '../../../sessions/records/issues';
import { tooDeepIssues } from '../../../sessions/records/tool-input';
import type { RequestMetadata } from './metadata';
import { type PlacedCall, Reply } from './reply';
import { type ShownText, shownText } from './shown-text';
import { plainText } from './text';
import { type ToolCall, toolCallOf } from './tool-call';

/** The common fields of all entries of a response. */
export interface ResponseFrame {
  readonly id: string;
  readonly file: string;
  readonly timestamp: string | null;
  readonly metadata: RequestMetadata;
  readonly model: string | null;
  readonly lineOfResult: number;
}

/** The state of a response besides its parts. */
interface ResponseState {
  /** The newest calls of an incomplete response may still be running. */
  readonly isIncomplete: boolean;
  /** The usage of the newest reply, given the number of replies. */
  readonly usage: (replies: number) => Usage | null;
}

const toolKind = 'toolInvocationSerialized';

const responsePart = s.record({ kind: s.name, value: s.anything, toolCallId: s.name, subAgentInvocationId: s.name });

/**
 * A response while it grows: its replies, each followed by its tool results. The cost of reading it again is linear in the
 * parts from the first changed one on.
 */
export class Response {
  /** The line of each part when it was read. A part with another line has changed. */
  readonly #lines: number[] = [];
  readonly #replies: Reply[] = [];
  readonly #callIds = new UniqueIds();
  /** The parts that a person sees. */
  readonly #visible: AtPart[] = [];
  readonly #others: (AtPart & { readonly kind: string })[] = [];
  readonly #issues: (AtPart & IssueAtLine)[] = [];

  constructor(private readonly frame: ResponseFrame) {}

  read(parts: readonly unknown[], lineOfPart: (part: number) => number): void {
    this.#removeFrom(this.#firstChange(parts.length, lineOfPart));
    for (let part = this.#lines.length; part < parts.length; part += 1) {
      const line = lineOfPart(part);
      this.#lines.push(line);
      const value = parts[part];
      const record = typeof value === 'string' ? { value } : value;
      if (s.isRecord(record)) this.#add(record, part, line);
    }
  }

  entries({ isIncomplete, usage }: ResponseState): Entry[] {
    const entries: Entry[] = [];
    const newest = this.#replies.at(-1);
    const lastVisible = this.#visible.at(-1)?.part ?? -1;
    const runs = ({ call, part }: PlacedCall): boolean => isIncomplete && call.mayRun && part > lastVisible;
    for (const reply of this.#replies) {
      entries.push(reply.entry(reply === newest ? usage(this.#replies.length) : null));
      for (const call of reply.calls) if (!runs(call)) entries.push(call.result);
    }
    return entries;
  }

  /** The kinds of the parts that do not belong to the conversation. */
  get otherParts(): string[] {
    return this.#others.map(({ kind }) => kind);
  }

  get issues(): IssueAtLine[] {
    return this.#issues.map(({ line, message }) => ({ line, message }));
  }

  #firstChange(parts: number, lineOfPart: (part: number) => number): number {
    const change = this.#lines.findIndex((line, part) => part >= parts || line !== lineOfPart(part));
    return change < 0 ? this.#lines.length : change;
  }

  /** Discards all parts from this one on. A reply with texts on both sides is discarded entirely and read again. */
  #removeFrom(first: number): void {
    let to = first;
    for (let reply = this.#replies.at(-1); reply !== undefined; reply = this.#replies.at(-1)) {
      const isKept = reply.beginning.part < to && reply.keepsTexts(to);
      this.#removeCallsFrom(reply, isKept ? to : reply.beginning.part);
      if (isKept) break;
      this.#replies.pop();
      to = Math.min(to, reply.beginning.part);
    }
    this.#lines.length = to;
    cut(this.#visible, to);
    cut(this.#others, to);
    cut(this.#issues, to);
  }

  #removeCallsFrom(reply: Reply, part: number): void {
    for (let call = reply.removeCallFrom(part); call !== null; call = reply.removeCallFrom(part)) {
      this.#callIds.handBack(call.claimed);
    }
  }

  #add(record: s.JsonRecord, part: number, line: number): void {
    const { kind, value, toolCallId, subAgentInvocationId } = s.read(responsePart, record);
    const shown = kind === 'thinking' ? null : shownText(record);
    if (kind === 'thinking' || shown !== null) this.#visible.push({ part });
    // A subagent's parts belong to a separate conversation. Its result is the result of the call that started it.
    if (subAgentInvocationId !== null) this.#others.push({ part, kind: `subagent ${kind ?? 'text'}` });
    else if (kind === toolKind) this.#addCall(record, toolCallId, part, line);
    else if (kind === 'thinking') this.#addText('reasoning', { text: plainText(value), isBlock: true }, part, line);
    else if (shown !== null) this.#addText('text', shown, part, line);
    else this.#others.push({ part, kind: kind ?? 'no kind' });
  }

  #addText(type: 'text' | 'reasoning', shown: ShownText, part: number, line: number): void {
    if (shown.text === '') return;
    const newest = this.#replies.at(-1);
    const reply = newest === undefined || newest.calls.length > 0 ? this.#begin(part) : newest;
    reply.addText({ type, ...shown }, part, line);
  }

  #addCall(record: s.JsonRecord, recordedId: string | null, part: number, line: number): void {
    const ownId = recordedId ?? `${this.frame.id}:call`;
    const newest = this.#replies.at(-1);
    const reply = newest === undefined || this.#isOfNextRound(newest, ownId) ? this.#begin(part) : newest;
    const claimed = this.#callIds.take(ownId);
    const call = toolCallOf(record, ownId, claimed.id, this.frame.metadata);
    reply.addCall(this.#placed(call, claimed, part, line));
    for (const issue of tooDeepIssues([call.call], line)) this.#issues.push({ part, ...issue });
  }

  #isOfNextRound(reply: Reply, callId: string): boolean {
    const before = reply.calls.at(-1)?.claimed.id;
    if (before === undefined) return false;
    const { metadata } = this.frame;
    return metadata.callOf(before)?.round !== metadata.callOf(callId)?.round;
  }

  #begin(part: number): Reply {
    const { id, file, timestamp, model } = this.frame;
    const count = this.#replies.length + 1;
    const replyId = count === 1 ? id : `${id}:${count}`;
    const reply = new Reply({ id: replyId, file, timestamp, part, ...(model === null ? {} : { model }) });
    this.#replies.push(reply);
    return reply;
  }

  #placed(call: ToolCall, claimed: ClaimedId, part: number, line: number): PlacedCall {
    const { id, file, timestamp, lineOfResult } = this.frame;
    const { part: resultPart, image } = call.result;
    const result: Entry = {
      id: `${id}:result:${claimed.id}`,
      role: 'tool',
      parts: image === null ? [resultPart] : [resultPart, image],
      timestamp,
      origin: { file, line: call.isFromMetadata ? Math.max(line, lineOfResult) : line },
    };
    return { call, claimed, part, line, result };
  }
}

interface AtPart {
  readonly part: number;
}

/** Removes the items from this part on. The list is ordered by part. */
function cut(list: AtPart[], part: number): void {
  while ((list.at(-1)?.part ?? -1) >= part) list.pop();
}
