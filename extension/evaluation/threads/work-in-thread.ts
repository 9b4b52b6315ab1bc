import { Worker } from 'node:worker_threads';
import { WorkFailed, type WorkOrder, type WorkProgress, type WorkReply } from './work';

/** A thread ended before it had replied. */
export class WorkThreadEnded extends Error {
  override name = 'WorkThreadEnded';
}

export interface WorkOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: WorkProgress) => void;
  /** Answers what the work asks. What it rejects with ends the work. */
  readonly onQuestion?: (question: unknown, signal: AbortSignal) => Promise<unknown>;
}

/** How long a thread that is told to stop may take to come to a good end, in milliseconds. */
const graceTime = 5_000;

/**
 * Has a thread do one piece of work; `program` is the built program of one that calls `workOnce`. Settles when the thread
 * has ended, so that nothing is written any more. Rejects with `WorkFailed`, with `WorkThreadEnded`, or with the
 * signal's reason.
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
    throw new WorkThreadEnded(`A thread could not be started: ${String(cause)}`, { cause });
  }
}

function tell(worker: Worker, order: WorkOrder): void {
  worker.postMessage(order);
}

function resultOf<Result>(worker: Worker, { signal, onProgress, onQuestion }: WorkOptions): Promise<Result> {
  return new Promise((resolve, reject) => {
    const answer = async (id: number, question: unknown) => {
      if (!onQuestion) throw new WorkThreadEnded('A thread asked something that nobody answers.');
      tell(worker, { kind: 'answer', id, answer: await onQuestion(question, signal) });
    };
    worker.on('message', (reply: WorkReply<Result>) => {
      if (reply.kind === 'progress') onProgress?.(reply.progress);
      else if (reply.kind === 'question') answer(reply.id, reply.question).catch(reject);
      else if (reply.kind === 'done') resolve(reply.result);
      else reject(new WorkFailed(reply));
    });
    worker.once('error', (cause) =>
      reject(new WorkThreadEnded(`A thread of the evaluation failed: ${cause}`, { cause })),
    );
    worker.once('exit', (code) =>
      reject(new WorkThreadEnded(`A thread of the evaluation ended too early, with code ${code}.`)),
    );
  });
}
