import type { Entry, Part, Usage } from '../../../engine/conversation/entry';
import { sameItems } from '../../../engine/conversation/same-items';
import * as s from '../../../platform/json/schemas';
import { timeText } from '../../../platform/json/time-text';
import type { IssueAtLine } from '../../../sessions/records/issues';
import { attachmentParts } from './attachments';
import type { RequestLines } from './lines';
import { RequestMetadata } from './metadata';
import { Response, type ResponseFrame } from './response';
import { plainText } from './text';

const requestRecord = s.record({
  requestId: s.name,
  responseId: s.name,
  modelId: s.name,
  message: s.anything,
  variableData: s.anything,
  timestamp: s.anything,
  responseTimestamp: s.anything,
  isHidden: s.flag,
  shouldBeRemovedOnSend: s.anything,
  isSystemInitiated: s.flag,
  hiddenFromTranscript: s.flag,
  requestHiddenFromTranscript: s.flag,
  isCanceled: s.flag,
  modelState: s.record({ value: s.anything }),
  promptTokens: s.count,
  completionTokens: s.count,
  result: s.optionalRecord({
    metadata: s.anything,
    errorDetails: s.optionalRecord({ code: s.anything, message: s.anything }),
  }),
});

type Request = s.Read<typeof requestRecord>;

const messageRecord = s.record({ text: s.anything });

const removal = s.optionalRecord({ afterUndoStop: s.name });

/** The entries of a request of a chat and of its response. */
export interface RequestEntries {
  readonly entries: readonly Entry[];
  /** False after the person went back to before the request: VS Code hides it, and removes it with the next request. */
  readonly isInContext: boolean;
  readonly awaitsReply: boolean;
  readonly text: string;
  /** The provider's name of the model if it is known, otherwise `modelId`. */
  readonly model: string | null;
  /** VS Code's id of the model. */
  readonly modelId: string | null;
  readonly otherParts: readonly string[];
  readonly issues: readonly IssueAtLine[];
}

/** The position of a request: its index among all, and its lines. */
interface RequestPlace {
  readonly file: string;
  readonly index: number;
  readonly lines: RequestLines;
}

/** The fields of a request besides its response. */
interface RequestFields {
  readonly version: number;
  readonly request: Request;
  readonly frame: ResponseFrame;
  readonly prompt: readonly Entry[];
}

/** A request while it grows. Unchanged parts keep their entries and are not read again. */
export class ChatRequest {
  #version = -1;
  #fields: RequestFields | null = null;
  #response: Response | null = null;
  #notice: readonly Entry[] = [];
  #read: RequestEntries | null = null;

  constructor(
    private readonly record: s.JsonRecord,
    private readonly place: RequestPlace,
  ) {}

  isOf(record: s.JsonRecord, lines: RequestLines): boolean {
    return this.record === record && this.place.lines === lines;
  }

  read(): RequestEntries {
    const { version } = this.place.lines;
    if (this.#read === null || this.#version !== version) this.#read = this.#readAnew();
    this.#version = version;
    return this.#read;
  }

  #readAnew(): RequestEntries {
    const { request, frame, prompt } = this.#readFields();
    const parts = s.read(s.list, this.record.response);
    const ending = endingOf(request, parts.length);
    const isIncomplete = ending.kind === 'incomplete';
    const response = this.#readResponse(frame, parts);
    this.#notice = reusing(noticeOf(ending, frame, this.place), this.#notice);
    const usage = (replies: number) => usageOf(request, frame.metadata, replies);
    return {
      entries: [...prompt, ...response.entries({ isIncomplete, usage }), ...this.#notice],
      isInContext: !isTakenBack(request),
      awaitsReply: isIncomplete,
      text: promptText(request),
      model: frame.model,
      modelId: request.modelId,
      otherParts: response.otherParts,
      issues: response.issues,
    };
  }

  #readFields(): RequestFields {
    const before = this.#fields;
    const version = this.place.lines.fieldsVersion;
    if (before?.version === version) return before;
    const request = s.read(requestRecord, this.record);
    const frame = frameOf(request, this.place, before?.frame ?? null);
    const prompt = reusing(promptEntries(request, this.place), before?.prompt ?? []);
    if (before === null || !isSameFrame(before.frame, frame)) this.#response = null;
    this.#fields = { version, request, frame, prompt };
    return this.#fields;
  }

  #readResponse(frame: ResponseFrame, parts: readonly unknown[]): Response {
    this.#response ??= new Response(frame);
    this.#response.read(parts, (part) => this.place.lines.ofPart(part));
    return this.#response;
  }
}

function frameOf(request: Request, place: RequestPlace, before: ResponseFrame | null): ResponseFrame {
  const { file, lines } = place;
  const lineOfResult = lines.ofField('result');
  const metadata =
    before?.lineOfResult === lineOfResult ? before.metadata : new RequestMetadata(request.result?.metadata);
  return {
    id: request.responseId ?? `${requestId(request, place)}:response`,
    file,
    timestamp: timeText(request.responseTimestamp) ?? timeText(request.timestamp),
    metadata,
    model: metadata.model ?? request.modelId,
    lineOfResult,
  };
}

/** Whether a response would have the same entries. Most results of requests have no metadata about calls. */
function isSameFrame(one: ResponseFrame, other: ResponseFrame): boolean {
  const isSameReply = one.id === other.id && one.timestamp === other.timestamp && one.model === other.model;
  const hasSameCalls = one.metadata === other.metadata || !(one.metadata.hasCalls || other.metadata.hasCalls);
  return isSameReply && hasSameCalls;
}

/** The entries, with equal ones from before reused. */
function reusing(entries: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  return entries.map((entry, index) => {
    const known = before[index];
    return known !== undefined && isSameText(known, entry) ? known : entry;
  });
}

/** Compares entries that contain only texts and images. */
function isSameText(one: Entry, other: Entry): boolean {
  const ofPlace = ({ id, timestamp, injected, origin }: Entry) => [id, timestamp, injected, origin.line];
  const ofParts = ({ parts }: Entry) => parts.flatMap((part) => Object.values(part));
  return sameItems(ofPlace(one), ofPlace(other)) && sameItems(ofParts(one), ofParts(other));
}

function requestId({ requestId }: Request, { index }: RequestPlace): string {
  return requestId ?? `request-${index + 1}`;
}

function promptText({ message }: Request): string {
  return plainText(s.read(messageRecord, message).text ?? message);
}

function promptEntries(request: Request, place: RequestPlace): Entry[] {
  const { file, lines } = place;
  const text = promptText(request);
  const attached = attachmentParts(request.variableData);
  const parts: Part[] = text === '' ? attached : [{ type: 'text', text }, ...attached];
  if (parts.length === 0) return [];
  const line = Math.max(lines.ofField('message'), lines.ofField('variableData'));
  const id = requestId(request, place);
  const prompt: Entry = { id, role: 'user', parts, timestamp: timeText(request.timestamp), origin: { file, line } };
  return [isByVscode(request) ? { ...prompt, injected: true } : prompt];
}

/** VS Code itself continues a chat, for example when a background command has ended. */
function isByVscode({ isSystemInitiated, hiddenFromTranscript, requestHiddenFromTranscript }: Request): boolean {
  return isSystemInitiated || hiddenFromTranscript || requestHiddenFromTranscript;
}

/** With `afterUndoStop` only the response after that stop is taken back, and the request stays. */
function isTakenBack({ isHidden, shouldBeRemovedOnSend }: Request): boolean {
  if (isHidden || shouldBeRemovedOnSend === true) return true;
  return s.read(removal, shouldBeRemovedOnSend)?.afterUndoStop === null;
}

type Ending =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'answered' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

/** VS Code's numbers for the state of a response. */
const state = { pending: 0, cancelled: 2, failed: 3, needsInput: 4 };

export function isOpenState(value: unknown): boolean {
  return value === state.pending || value === state.needsInput;
}

function endingOf({ result, modelState, isCanceled }: Request, parts: number): Ending {
  const error = result?.errorDetails ?? null;
  const { value } = modelState;
  if (value === state.cancelled || isCanceled || error?.code === 'canceled') return { kind: 'cancelled' };
  if (error !== null) return { kind: 'failed', message: plainText(error.message) };
  if (value === state.failed) return { kind: 'failed', message: '' };
  if (isOpenState(value)) return { kind: 'incomplete' };
  // Older versions write no state, and write the result last.
  const isOpen = typeof value !== 'number' && result === null && parts === 0;
  return { kind: isOpen ? 'incomplete' : 'answered' };
}

/**
 * The usage of the newest reply. VS Code sums the output of all replies to a request. With several replies the sum is not
 * used, because the prompt of the newest one includes the earlier replies.
 */
function usageOf(request: Request, metadata: RequestMetadata, replies: number): Usage | null {
  const input = request.promptTokens ?? metadata.promptTokens;
  if (input === 0) return null;
  const summed = replies <= 1 ? request.completionTokens : null;
  return { input, output: summed ?? metadata.outputTokens, cacheRead: 0, cacheWrite: 0 };
}

function noticeOf(ending: Ending, { id, timestamp }: ResponseFrame, { file, lines }: RequestPlace): Entry[] {
  const text = noticeText(ending);
  if (text === null) return [];
  const origin = { file, line: lines.ofField(ending.kind === 'failed' ? 'result' : 'modelState') };
  return [{ id: `${id}:ended`, role: 'user', parts: [{ type: 'text', text }], timestamp, origin, injected: true }];
}

function noticeText(ending: Ending): string | null {
  switch (ending.kind) {
    case 'cancelled':
      return '[This reply was cancelled.]';
    case 'failed':
      return `[This reply failed${ending.message === '' ? '.' : `: ${ending.message}`}]`;
    default:
      return null;
  }
}
