import type { LongWork } from '../../engine/conversation/long-work';
import { inSlices } from '../../platform/files/in-slices';
import { withLateCore } from '../recognition/late-core';
import { changedBy, isUnchanged, type Outgoing } from '../recognition/outgoing';
import type { ReceivedConversation } from '../recognition/received-entries';
import { asUserBeforeReply, bindsThinking, withBoundThinking } from '../recognition/thinking';
import type { IncomingRequest, KeptRequest } from './keeping';
import { KeptAnswer } from './kept-answer';

/** Stores requests of any format. */
export interface Keeper {
  keep(request: IncomingRequest): Promise<KeptRequest>;
  /** In tokens; null if unknown. */
  windowOf(model: string): number | null;
  /** ISO 8601. */
  now(): string;
  notify(message: string): void;
}

/** A request as read. `system`: prompts that are not among the messages. */
export interface SaidRequest
  extends Pick<IncomingRequest, 'system' | 'tools' | 'model' | 'signal' | 'isCompactedElsewhere' | 'identity'> {
  /** Its messages as entries. `time`: its arrival, ISO 8601. */
  receiving(time: string): LongWork<ReceivedConversation>;
}

export interface KeptSaid<T> {
  /** Null if the request is sent unchanged. */
  readonly changed: T | null;
  readonly answer: KeptAnswer;
}

/** Stores a request, and rewrites it if the context differs. System prompts count wherever they stand. */
export async function keepSaid<T>(
  keeper: Keeper,
  { receiving, ...request }: SaidRequest,
  rewriting: (outgoing: readonly Outgoing[]) => LongWork<T>,
): Promise<KeptSaid<T>> {
  const { signal } = request;
  const received = await inSlices(receiving(keeper.now()), { signal });
  const system = [...request.system, ...received.system];
  const kept = await keeper.keep({ ...request, received, system, contextWindow: keeper.windowOf(request.model) });
  const answer = new KeptAnswer(ending(kept), request.signal, (message) => keeper.notify(String(message)));
  try {
    const outgoing = sentMessages(received, kept, request.model);
    const isSame = isUnchanged(outgoing, received.ofMessage.length);
    return { changed: isSame ? null : await inSlices(rewriting(outgoing), { signal }), answer };
  } catch (error) {
    await answer.failed();
    throw error;
  }
}

function sentMessages(received: ReceivedConversation, kept: KeptRequest, model: string): readonly Outgoing[] {
  const changed = changedBy(received, kept.context.messages);
  const placed = kept.lateCore ? withLateCore(changed, received, kept.lateCore) : changed;
  const outgoing = asUserBeforeReply(placed, received, model);
  if (!bindsThinking(model)) return outgoing;
  const sent = withBoundThinking(outgoing, received, kept.prefixOf ?? (() => undefined));
  kept.sentWith?.(sent.prefix);
  return sent.outgoing;
}

/** Without the context, because an answer may take minutes. */
function ending({
  answer,
  done,
  learn,
  wantsOwnModel = false,
  wantsUsage = false,
}: KeptRequest): Omit<KeptRequest, 'context'> {
  return { answer, done, wantsOwnModel, wantsUsage, ...(learn ? { learn } : {}) };
}
