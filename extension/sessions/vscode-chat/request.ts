import type { Entry, Part } from '../../engine/conversation/entry';
import { asList, asName, asRecord, type JsonRecord } from '../records/json';
import { lastWhere } from '../records/last';
import { attachmentParts } from './attachments';
import type { RequestLines } from './lines';
import { RequestMetadata } from './metadata';
import { responseEntries } from './response';
import { plainText, timeText } from './text';

/** A request of a chat with all that came of it, as entries. */
export interface RequestEntries {
  readonly entries: readonly Entry[];
  /** VS Code hides a request that the person went back behind, and takes it out with the next one. */
  readonly isInContext: boolean;
  readonly awaitsReply: boolean;
  readonly text: string;
  /** As the provider named it, where that is known, and as VS Code does. */
  readonly model: string | null;
  readonly modelId: string | null;
  readonly otherParts: readonly string[];
}

export function requestEntries(request: JsonRecord, index: number, lines: RequestLines, file: string): RequestEntries {
  const metadata = new RequestMetadata(request);
  const requestId = asName(request.requestId) ?? `request-${index + 1}`;
  const id = asName(request.responseId) ?? `${requestId}:response`;
  const timestamp = timeText(request.responseTimestamp) ?? timeText(request.timestamp);
  const ending = endingOf(request);
  const response = responseEntries(request.response, {
    id,
    file,
    timestamp,
    metadata,
    goesOn: ending.kind === 'goes-on',
    lineOfPart: (part) => lines.ofPart(part),
    lineOfResult: lines.ofField('result'),
  });
  const endLine = lines.ofField(ending.kind === 'failed' ? 'result' : 'modelState');
  const notice = noticeOf(ending, { id: `${id}:ended`, timestamp, origin: { file, line: endLine } });
  return {
    entries: [...promptEntries(request, requestId, lines, file), ...withUsage(response.entries, metadata), ...notice],
    isInContext: !isTakenBack(request),
    awaitsReply: ending.kind === 'goes-on',
    text: promptText(request),
    model: metadata.model,
    modelId: asName(request.modelId),
    otherParts: response.otherParts,
  };
}

function promptText({ message }: JsonRecord): string {
  return plainText(asRecord(message)?.text ?? message);
}

function promptEntries(request: JsonRecord, id: string, lines: RequestLines, file: string): Entry[] {
  const text = promptText(request);
  const attached = attachmentParts(request.variableData);
  const parts: Part[] = text === '' ? attached : [{ type: 'text', text }, ...attached];
  if (parts.length === 0) return [];
  const line = Math.max(lines.ofField('message'), lines.ofField('variableData'));
  const said: Entry = { id, role: 'user', parts, timestamp: timeText(request.timestamp), origin: { file, line } };
  return [isByNobody(request) ? { ...said, injected: true } : said];
}

/** VS Code itself goes on with a chat, when a command in the background has ended for instance. */
function isByNobody({ isSystemInitiated, hiddenFromTranscript, requestHiddenFromTranscript }: JsonRecord): boolean {
  return isSystemInitiated === true || hiddenFromTranscript === true || requestHiddenFromTranscript === true;
}

/** With a place to go on from, only what follows that place is taken back, and the request stays. */
function isTakenBack({ isHidden, shouldBeRemovedOnSend }: JsonRecord): boolean {
  if (isHidden === true || shouldBeRemovedOnSend === true) return true;
  const removal = asRecord(shouldBeRemovedOnSend);
  return removal !== null && asName(removal.afterUndoStop) === null;
}

type Ending =
  | { readonly kind: 'goes-on' }
  | { readonly kind: 'answered' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

/** The states of a response as VS Code numbers them; it waits for the person while it needs input. */
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
  if (isOpenState(value)) return { kind: 'goes-on' };
  // Older versions write no state, and the result last.
  const isOpen =
    typeof value !== 'number' && asRecord(request.result) === null && asList(request.response).length === 0;
  return { kind: isOpen ? 'goes-on' : 'answered' };
}

function noticeOf(ending: Ending, place: Pick<Entry, 'id' | 'timestamp' | 'origin'>): Entry[] {
  const text = noticeText(ending);
  return text === null ? [] : [{ ...place, role: 'user', parts: [{ type: 'text', text }], injected: true }];
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

/** What VS Code reports is of the newest reply. */
function withUsage(entries: readonly Entry[], metadata: RequestMetadata): readonly Entry[] {
  const replies = entries.filter((entry) => entry.role === 'assistant').length;
  const newest = lastWhere(entries, (entry) => entry.role === 'assistant');
  const usage = metadata.usage(replies);
  return usage === null ? entries : entries.map((entry) => (entry === newest ? { ...entry, usage } : entry));
}
