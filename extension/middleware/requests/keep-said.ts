import { inSlices } from '../../sessions/files/in-slices';
import { isUnchanged, type Outgoing, outgoingOf } from '../recognition/outgoing';
import type { ReceivedMessage } from '../recognition/received';
import { receiving } from '../recognition/received-entries';
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
  extends Pick<IncomingRequest, 'system' | 'tools' | 'model' | 'signal' | 'isCompactedElsewhere'> {
  readonly said: readonly ReceivedMessage[];
}

export interface KeptSaid<T> {
  /** Null if the request is sent unchanged. */
  readonly changed: T | null;
  readonly answer: KeptAnswer;
}

/** Stores a request, and rewrites it if the context differs. System prompts count wherever they stand. */
export async function keepSaid<T>(
  keeper: Keeper,
  { said, ...request }: SaidRequest,
  rewrite: (outgoing: readonly Outgoing[]) => T,
): Promise<KeptSaid<T>> {
  const { signal } = request;
  const received = await inSlices(receiving(said, keeper.now()), { signal });
  const system = [...request.system, ...received.system];
  const kept = await keeper.keep({ ...request, received, system, contextWindow: keeper.windowOf(request.model) });
  const answer = new KeptAnswer(kept, request.signal, (message) => keeper.notify(String(message)));
  try {
    const outgoing = outgoingOf(received, kept.context.messages);
    return { changed: isUnchanged(outgoing, said) ? null : rewrite(outgoing), answer };
  } catch (error) {
    await answer.failed();
    throw error;
  }
}
