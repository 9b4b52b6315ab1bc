import type { Entry, Origin, Part } from '../../engine/conversation/entry';
import { asList, asName, asRecord, type JsonRecord } from '../records/json';
import { lastWhere } from '../records/last';
import { UniqueIds } from '../records/unique-ids';
import type { RequestMetadata } from './metadata';
import { shownText } from './shown-text';
import { plainText } from './text';
import { type ToolCall, toolCallOf } from './tool-call';

export interface ResponseContext {
  readonly id: string;
  readonly file: string;
  readonly timestamp: string | null;
  readonly metadata: RequestMetadata;
  /** The newest calls of a response that goes on may have no result yet. */
  readonly goesOn: boolean;
  readonly lineOfPart: (index: number) => number;
  readonly lineOfResult: number;
}

export interface ResponseEntries {
  readonly entries: readonly Entry[];
  /** Parts that are no part of the conversation, by their kind. */
  readonly otherParts: readonly string[];
}

/** The replies of a response, each with its tool results behind it, in the order of its parts. */
export function responseEntries(response: unknown, context: ResponseContext): ResponseEntries {
  const builder = new ResponseBuilder(context);
  const parts = asList(response).map((part) => (typeof part === 'string' ? { value: part } : asRecord(part)));
  const saidLast = lastWhere([...parts.entries()], ([, part]) => part !== null && isSaid(part))?.[0] ?? -1;
  for (const [index, part] of parts.entries()) {
    if (part !== null) builder.add(part, context.lineOfPart(index), context.goesOn && index > saidLast);
  }
  return builder.end();
}

const toolKind = 'toolInvocationSerialized';

function isSaid(part: JsonRecord): boolean {
  return part.kind === 'thinking' || shownText(part) !== null;
}

/** A reply: what the model said, and then the tools that it called. Text after a call begins the next one. */
interface Reply {
  readonly parts: Part[];
  readonly calls: { readonly call: ToolCall; readonly line: number }[];
  /** The newest line that changed it. */
  line: number;
}

class ResponseBuilder {
  readonly #entries: Entry[] = [];
  readonly #otherParts: string[] = [];
  readonly #callIds = new UniqueIds();
  #reply: Reply | null = null;
  #replies = 0;
  /** The text so far ends with a paragraph that nothing continues. */
  #afterBlock = false;

  constructor(private readonly context: ResponseContext) {}

  add(part: JsonRecord, line: number, mayRun: boolean): void {
    const kind = asName(part.kind);
    // What a subagent does is a conversation of its own; its result comes back with the call that started it.
    if (asName(part.subAgentInvocationId) !== null) this.#otherParts.push(`subagent ${kind ?? 'text'}`);
    else if (kind === toolKind) this.#addCall(part, line, mayRun);
    else if (kind === 'thinking') this.#addText('reasoning', plainText(part.value), line);
    else this.#addShown(part, kind, line);
  }

  end(): ResponseEntries {
    this.#close();
    return { entries: this.#entries, otherParts: this.#otherParts };
  }

  #addShown(part: JsonRecord, kind: string | null, line: number): void {
    const shown = shownText(part);
    if (shown === null) this.#otherParts.push(kind ?? 'no kind');
    else this.#addText('text', shown.text, line, shown.isBlock);
  }

  /** One text comes in pieces wherever it names a file or a symbol. */
  #addText(type: 'text' | 'reasoning', text: string, line: number, isBlock = type === 'reasoning'): void {
    if (text === '') return;
    if (this.#reply !== null && this.#reply.calls.length > 0) this.#close();
    const { parts } = this.#changed(line);
    const last = parts.at(-1);
    if (last?.type !== type) parts.push({ type, text });
    else parts[parts.length - 1] = { type, text: `${last.text}${isBlock || this.#afterBlock ? '\n\n' : ''}${text}` };
    this.#afterBlock = isBlock;
  }

  #addCall(part: JsonRecord, line: number, mayRun: boolean): void {
    const ownId = asName(part.toolCallId) ?? `${this.context.id}:call`;
    const call = toolCallOf(part, ownId, this.context.metadata, mayRun);
    if (this.#isOfNextRound(ownId)) this.#close();
    const callId = this.#callIds.claim(ownId);
    const reply = this.#changed(line);
    reply.parts.push({ ...call.call, callId });
    reply.calls.push({ call: withCallId(call, callId), line });
  }

  #isOfNextRound(callId: string): boolean {
    const before = this.#reply?.calls.at(-1)?.call.call.callId;
    if (before === undefined) return false;
    const { metadata } = this.context;
    return metadata.callOf(before)?.round !== metadata.callOf(callId)?.round;
  }

  #changed(line: number): Reply {
    this.#reply ??= { parts: [], calls: [], line };
    this.#reply.line = Math.max(this.#reply.line, line);
    return this.#reply;
  }

  #close(): void {
    const reply = this.#reply;
    if (reply === null) return;
    this.#reply = null;
    this.#replies += 1;
    const { id, metadata } = this.context;
    const { model } = metadata;
    const replyId = this.#replies === 1 ? id : `${id}:${this.#replies}`;
    this.#keep(
      { id: replyId, role: 'assistant', parts: reply.parts, ...(model === null ? {} : { model }) },
      reply.line,
    );
    for (const { call, line } of reply.calls) this.#keepResult(call, line);
  }

  #keepResult({ result, isFromMetadata }: ToolCall, line: number): void {
    if (result === null) return;
    const { part, picture } = result;
    const resultLine = isFromMetadata ? Math.max(line, this.context.lineOfResult) : line;
    const parts = picture === null ? [part] : [part, picture];
    this.#keep({ id: `${this.context.id}:result:${part.callId}`, role: 'tool', parts }, resultLine);
  }

  #keep(entry: Omit<Entry, 'origin' | 'timestamp'>, line: number): void {
    const origin: Origin = { file: this.context.file, line };
    this.#entries.push({ ...entry, timestamp: this.context.timestamp, origin });
  }
}

function withCallId(call: ToolCall, callId: string): ToolCall {
  if (call.result === null || call.call.callId === callId) return { ...call, call: { ...call.call, callId } };
  const result = { ...call.result, part: { ...call.result.part, callId } };
  return { ...call, call: { ...call.call, callId }, result };
}
