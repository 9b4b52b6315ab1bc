import type { Entry, Part } from '../../engine/conversation/entry';
import type { IssueAtLine } from '../records/issues';
import { asList, asName, asRecord, type JsonRecord } from '../records/json';
import { attachmentParts } from './attachments';
import type { RequestLines } from './lines';
import { RequestMetadata } from './metadata';
import { Response, type ResponseFrame } from './response';
import { plainText, timeText } from './text';

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
export interface RequestPlace {
  readonly file: string;
  readonly index: number;
  readonly lines: RequestLines;
}

/** The fields of a request besides its response. */
interface RequestFields {
  readonly version: number;
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
    private readonly request: JsonRecord,
    private readonly place: RequestPlace,
  ) {}

  isOf(request: JsonRecord, lines: RequestLines): boolean {
    return this.request === request && this.place.lines === lines;
  }

  read(): RequestEntries {
    const { version } = this.place.lines;
    if (this.#read === null || this.#version !== version) this.#read = this.#readAnew();
    this.#version = version;
    return this.#read;
  }

  #readAnew(): RequestEntries {
    const { request, place } = this;
    const { frame, prompt } = this.#readFields();
    const ending = endingOf(request);
    const isIncomplete = ending.kind === 'incomplete';
    const response = this.#readResponse(frame);
    this.#notice = reusing(noticeOf(ending, frame, place), this.#notice);
    const usage = (replies: number) => frame.metadata.usage(replies);
    return {
      entries: [...prompt, ...response.entries({ isIncomplete, usage }), ...this.#notice],
      isInContext: !isTakenBack(request),
      awaitsReply: isIncomplete,
      text: promptText(request),
      model: frame.metadata.model,
      modelId: asName(request.modelId),
      otherParts: response.otherParts,
      issues: response.issues,
    };
  }

  #readFields(): RequestFields {
    const before = this.#fields;
    const version = this.place.lines.fieldsVersion;
    if (before?.version === version) return before;
    const frame = frameOf(this.request, this.place, before?.frame ?? null);
    const prompt = reusing(promptEntries(this.request, this.place), before?.prompt ?? []);
    if (before === null || !isSameFrame(before.frame, frame)) this.#response = null;
    this.#fields = { version, frame, prompt };
    return this.#fields;
  }

  #readResponse(frame: ResponseFrame): Response {
    this.#response ??= new Response(frame);
    this.#response.read(asList(this.request.response), (part) => this.place.lines.ofPart(part));
    return this.#response;
  }
}

function frameOf(request: JsonRecord, place: RequestPlace, before: ResponseFrame | null): ResponseFrame {
  const { file, lines } = place;
  const lineOfResult = lines.ofField('result');
  const metadata = before?.lineOfResult === lineOfResult ? before.metadata : new RequestMetadata(request);
  return {
    id: asName(request.responseId) ?? `${requestId(request, place)}:response`,
    file,
    timestamp: timeText(request.responseTimestamp) ?? timeText(request.timestamp),
    metadata,
    model: metadata.model,
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
  return isSameList(ofPlace(one), ofPlace(other)) && isSameList(ofParts(one), ofParts(other));
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function requestId({ requestId }: JsonRecord, { index }: RequestPlace): string {
  return asName(requestId) ?? `request-${index + 1}`;
}
function promptText({ message }: JsonRecord): string {
  return plainText(asRecord(message)?.text ?? message);
}

function promptEntries(request: JsonRecord, place: RequestPlace): Entry[] {
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
function isByVscode({ isSystemInitiated, hiddenFromTranscript, requestHiddenFromTranscript }: JsonRecord): boolean {
  return isSystemInitiated === true || hiddenFromTranscript === true || requestHiddenFromTranscript === true;
}

/** With `afterUndoStop` only the response after that stop is taken back, and the request stays. */
function isTakenBack({ isHidden, shouldBeRemovedOnSend }: JsonRecord): boolean {
  if (isHidden === true || shouldBeRemovedOnSend === true) return true;
  const removal = asRecord(shouldBeRemovedOnSend);
  return removal !== null && asName(removal.afterUndoStop) === null;
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

function endingOf(request: JsonRecord): Ending {
  const error = asRecord(asRecord(request.result)?.errorDetails);
  const value = asRecord(request.modelState)?.value;
  if (value === state.cancelled || request.isCanceled === true || error?.code === 'canceled')
    return { kind: 'cancelled' };
  if (error !== null) return { kind: 'failed', message: plainText(error.message) };
  if (value === state.failed) return { kind: 'failed', message: '' };
  if (isOpenState(value)) return { kind: 'incomplete' };
  // Older versions write no state, and write the result last.
  const isOpen =
    typeof value !== 'number' && asRecord(request.result) === null && asList(request.response).length === 0;
  return { kind: isOpen ? 'incomplete' : 'answered' };
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
