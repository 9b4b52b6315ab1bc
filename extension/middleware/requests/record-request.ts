import type { LongWork } from '../../engine/conversation/long-work';
import { inSlices } from '../../platform/files/in-slices';
import { withLateCore } from '../recognition/late-core';
import { changedBy, isUnchanged, type Outgoing } from '../recognition/outgoing';
import type { ReceivedConversation } from '../recognition/received-entries';
import { asUserBeforeReply, bindsThinking, withBoundThinking } from '../recognition/thinking';
import { PassingAnswer } from './passing-answer';
import type { AnswerQueue, IncomingRequest, RecordedRequest, SentContext } from './recording';

/** Stores requests of any format. */
export interface Recorder {
  keep(request: IncomingRequest): Promise<RecordedRequest>;
  /** In tokens; null if unknown. */
  windowOf(model: string): number | null;
  /** ISO 8601. */
  now(): string;
  notify(message: string): void;
  /** Absent: an answer is recorded at once. */
  readonly queue?: AnswerQueue;
}

/** A request as read. `system`: prompts that are not among the messages. */
interface UnrecordedRequest
  extends Pick<IncomingRequest, 'system' | 'tools' | 'model' | 'signal' | 'isCompactedByProvider' | 'identity'> {
  /** Its messages as entries. `time`: its arrival, ISO 8601. */
  receiving(time: string): LongWork<ReceivedConversation>;
}

export interface RewrittenRequest<T> {
  /** Null if the request is sent unchanged. */
  readonly changed: T | null;
  readonly answer: PassingAnswer;
  /** Null for a call that is sent without being recorded. */
  readonly context: SentContext | null;
}

/** Stores a request, and rewrites it if the context differs. System prompts may be among the messages. */
export async function recordAndRewrite<T>(
  recorder: Recorder,
  { receiving, ...request }: UnrecordedRequest,
  rewriting: (outgoing: readonly Outgoing[]) => LongWork<T>,
): Promise<RewrittenRequest<T>> {
  const { signal } = request;
  const received = await inSlices(receiving(recorder.now()), { signal });
  const system = [...request.system, ...received.system];
  const kept = await recorder.keep({ ...request, received, system, contextWindow: recorder.windowOf(request.model) });
  const answer = answerTo(kept, recorder, signal);
  const context = sentContext(request.model, kept);
  try {
    const outgoing = sentMessages(received, kept, request.model);
    const isSame = outgoing === null || isUnchanged(outgoing, received.messages.length);
    return { changed: isSame ? null : await inSlices(rewriting(outgoing), { signal }), answer, context };
  } catch (error) {
    await answer.failed();
    throw error;
  }
}

/** Null if the received messages are sent: most requests, for which no list of messages is made. */
function sentMessages(
  received: ReceivedConversation,
  kept: RecordedRequest,
  model: string,
): readonly Outgoing[] | null {
  const hasChanges = kept.lateCore !== undefined || kept.context.isChanged;
  if (!hasChanges && !bindsThinking(model)) return null;
  const changed = changedBy(received, kept.context.messages);
  const placed = kept.lateCore ? withLateCore(changed, received, kept.lateCore) : changed;
  const outgoing = asUserBeforeReply(placed, received, model);
  if (!bindsThinking(model)) return outgoing;
  const sent = withBoundThinking(outgoing, received, kept.prefixOf ?? (() => undefined));
  kept.sentWith?.(sent.prefix);
  return sent.outgoing;
}

/** Holds neither the context nor the request, because an answer may take minutes. */
function answerTo(
  { answer, done, learn, wantsOwnModel = false, wantsUsage = false }: RecordedRequest,
  recorder: Recorder,
  signal: AbortSignal,
): PassingAnswer {
  const kept = { answer, done, wantsOwnModel, wantsUsage, ...(learn ? { learn } : {}) };
  return new PassingAnswer(kept, signal, (message) => recorder.notify(String(message)), recorder.queue);
}

function sentContext(model: string, { context, conversation }: RecordedRequest): SentContext {
  const { tokens, blocks } = context;
  return { model, tokens: tokens.total, blocks, conversation: conversation ?? null };
}
