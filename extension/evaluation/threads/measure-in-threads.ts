import { answerFrom, type OwnerQuestion, type ReplayOwner } from '../sessions/replay-owner';
import { workInThread } from './work-in-thread';

export interface MeasuringStart {
  readonly strategies: readonly string[];
}

/** Measures the sessions of a replay in this many threads. `program` is the built `measuring-thread.ts`. */
export async function measureInThreads(
  owner: ReplayOwner,
  program: string | URL,
  { strategies, threads, signal }: MeasuringStart & { readonly threads: number; readonly signal: AbortSignal },
): Promise<void> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const one = async () => {
    // The other threads would wait for the session that a failing thread has begun.
    const fail = (error: unknown) => {
      failing.abort(error);
      throw error;
    };
    const onQuestion = (question: unknown) => answerFrom(owner, question as OwnerQuestion).catch(fail);
    await workInThread<MeasuringStart, void>(program, { strategies }, { signal: either, onQuestion }).catch(fail);
  };
  const ended = await Promise.allSettled(Array.from({ length: threads }, one));
  signal.throwIfAborted();
  if (failing.signal.aborted) throw failing.signal.reason;
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
