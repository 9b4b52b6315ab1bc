import { Worker } from 'node:worker_threads';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import { WorkFailed, type WorkOrder, type WorkProgress, type WorkReply } from './work';

/** A thread ended before it replied. */
export class WorkThreadEnded extends LocalizableError {
  override name = 'WorkThreadEnded';
}

export interface WorkOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: WorkProgress) => void;
  /** Answers a question of the work. A rejection ends the work. */
  readonly onQuestion?: (question: unknown, signal: AbortSignal) => Promise<unknown>;
}

/** Milliseconds a thread gets to finish after a stop before it is terminated. */
const graceTime = 5_000;

/**
 * Runs one piece of work in a thread. `program` is a built program that calls `workOnce`. Settles after the thread has
 * ended, so that nothing is written afterwards. Rejects with `WorkFailed`, `WorkThreadEnded` or the signal's reason.
 */
export async function workInThread<Start, Result>(
  program: string | URL,
  start: Start,
  options: WorkOptions,
): Promise<Result> {
  const { signal } = options;
  signal.throwIfAborted();
  const worker = started(program, start);
  const grace: { timer?: NodeJS.Timeout } = {};
  const stop = () => {
    tell(worker, { kind: 'stop' });
    grace.timer = setTimeout(() => void worker.terminate(), graceTime);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await resultOf<Result>(worker, options);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(grace.timer);
    await worker.terminate();
  }
}

function started<Start>(program: string | URL, start: Start): Worker {
  try {
    return new Worker(program, { workerData: start });
  } catch (cause) {
    throw new WorkThreadEnded(localizable('A thread could not be started: {0}', String(cause)), { cause });
  }
}

function tell(worker: Worker, order: WorkOrder): void {
  worker.postMessage(order);
}

function resultOf<Result>(worker: Worker, { signal, onProgress, onQuestion }: WorkOptions): Promise<Result> {
  return new Promise((resolve, reject) => {
    const answer = async (id: number, question: unknown) => {
      if (!onQuestion) throw new WorkThreadEnded(localizable('A thread asked a question that has no handler.'));
      tell(worker, { kind: 'answer', id, answer: await onQuestion(question, signal) });
    };
    worker.on('message', (reply: WorkReply<Result>) => {
      if (reply.kind === 'progress') onProgress?.(reply.progress);
      else if (reply.kind === 'question') answer(reply.id, reply.question).catch(reject);
      else if (reply.kind === 'done') resolve(reply.result);
      else reject(new WorkFailed(reply));
    });
    worker.once('error', (cause) =>
      reject(new WorkThreadEnded(localizable('A thread of the evaluation failed: {0}', String(cause)), { cause })),
    );
    worker.once('exit', (code) =>
      reject(new WorkThreadEnded(localizable('A thread of the evaluation ended too early, with code {0}.', code))),
    );
  });
}
