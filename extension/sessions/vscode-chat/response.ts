import type { Entry, Usage } from '../../engine/conversation/entry';
import type { IssueAtLine } from '../records/issues';
import { asName, asRecord, type JsonRecord } from '../records/json';
import { tooDeepIssues } from '../records/tool-input';
import { type ClaimedId, UniqueIds } from '../records/unique-ids';
import type { RequestMetadata } from './metadata';
import { type PlacedCall, Reply } from './reply';
import { shownText } from './shown-text';
import { plainText } from './text';
import { type ToolCall, toolCallOf } from './tool-call';

/** What all entries of a response are made with. */
export interface ResponseFrame {
  readonly id: string;
  readonly file: string;
  readonly timestamp: string | null;
  readonly metadata: RequestMetadata;
  readonly model: string | null;
  readonly lineOfResult: number;
}

/** What is known of a response besides its parts. */
export interface ResponseState {
  /** The newest calls of a response that goes on may have no result yet. */
  readonly goesOn: boolean;
  /** Of the newest reply, given how many there are. */
  readonly usage: (replies: number) => Usage | null;
}

const toolKind = 'toolInvocationSerialized';

/**
 * A response as it grows: its replies, each with its tool results behind it, in the order of its parts. To read it again
 * costs what is new, and what stands behind the first part that changed.
 */
export class Response {
  /** The line that each part stood on when it was read. A part on another line is another one. */
  readonly #lines: number[] = [];
  readonly #replies: Reply[] = [];
  readonly #callIds = new UniqueIds();
  /** The parts that a person reads. */
  readonly #said: AtPart[] = [];
  readonly #others: (AtPart & { readonly kind: string })[] = [];
  readonly #issues: (AtPart & IssueAtLine)[] = [];

  constructor(private readonly frame: ResponseFrame) {}

  read(parts: readonly unknown[], lineOfPart: (part: number) => number): void {
    this.#takeBack(this.#firstChange(parts.length, lineOfPart));
    for (let part = this.#lines.length; part < parts.length; part += 1) {
      const line = lineOfPart(part);
      this.#lines.push(line);
      const value = parts[part];
      const fields = typeof value === 'string' ? { value } : asRecord(value);
      if (fields !== null) this.#add(fields, part, line);
    }
  }

  entries({ goesOn, usage }: ResponseState): Entry[] {
    const entries: Entry[] = [];
    const newest = this.#replies.at(-1);
    const lastSaid = this.#said.at(-1)?.part ?? -1;
    const runs = ({ call, part }: PlacedCall): boolean => goesOn && call.mayRun && part > lastSaid;
    for (const reply of this.#replies) {
      entries.push(reply.entry(reply === newest ? usage(this.#replies.length) : null));
      for (const call of reply.calls) if (!runs(call)) entries.push(call.result);
    }
    return entries;
  }

  /** Parts that are no part of the conversation, by their kind. */
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

  /** As if nothing from this part on had been read; a reply whose text would be cut in two is read again. */
  #takeBack(first: number): void {
    let to = first;
    for (let reply = this.#replies.at(-1); reply !== undefined; reply = this.#replies.at(-1)) {
      const isKept = reply.beginning.part < to && reply.keepsTexts(to);
      this.#takeBackCalls(reply, isKept ? to : reply.beginning.part);
      if (isKept) break;
      this.#replies.pop();
      to = Math.min(to, reply.beginning.part);
    }
    this.#lines.length = to;
    cut(this.#said, to);
    cut(this.#others, to);
    cut(this.#issues, to);
  }

  #takeBackCalls(reply: Reply, part: number): void {
    for (let call = reply.takeBackCall(part); call !== null; call = reply.takeBackCall(part)) {
      this.#callIds.handBack(call.claimed);
    }
  }

  #add(fields: JsonRecord, part: number, line: number): void {
    const kind = asName(fields.kind);
    const shown = kind === 'thinking' ? null : shownText(fields);
    if (kind === 'thinking' || shown !== null) this.#said.push({ part });
    // What a subagent does is a conversation of its own; its result comes back with the call that started it.
    if (asName(fields.subAgentInvocationId) !== null) this.#others.push({ part, kind: `subagent ${kind ?? 'text'}` });
    else if (kind === toolKind) this.#addCall(fields, part, line);
    else if (kind === 'thinking')
      this.#addText('reasoning', { text: plainText(fields.value), isBlock: true }, part, line);
    else if (shown !== null) this.#addText('text', shown, part, line);
    else this.#others.push({ part, kind: kind ?? 'no kind' });
  }

  #addText(type: 'text' | 'reasoning', said: { text: string; isBlock: boolean }, part: number, line: number): void {
    if (said.text === '') return;
    const newest = this.#replies.at(-1);
    const reply = newest === undefined || newest.calls.length > 0 ? this.#begin(part) : newest;
    reply.addText({ type, ...said }, part, line);
  }

  #addCall(fields: JsonRecord, part: number, line: number): void {
    const ownId = asName(fields.toolCallId) ?? `${this.frame.id}:call`;
    const newest = this.#replies.at(-1);
    const reply = newest === undefined || this.#isOfNextRound(newest, ownId) ? this.#begin(part) : newest;
    const claimed = this.#callIds.take(ownId);
    const call = toolCallOf(fields, ownId, claimed.id, this.frame.metadata);
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
    const { part: said, picture } = call.result;
    const result: Entry = {
      id: `${id}:result:${claimed.id}`,
      role: 'tool',
      parts: picture === null ? [said] : [said, picture],
      timestamp,
      origin: { file, line: call.isFromMetadata ? Math.max(line, lineOfResult) : line },
    };
    return { call, claimed, part, line, result };
  }
}

interface AtPart {
  readonly part: number;
}

/** The lists are in the order of the parts. */
function cut(list: AtPart[], part: number): void {
  while ((list.at(-1)?.part ?? -1) >= part) list.pop();
}
