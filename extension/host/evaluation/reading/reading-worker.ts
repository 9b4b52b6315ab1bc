import { Worker } from 'node:worker_threads';
import { WorkFailed } from '../../../evaluation/threads/work';
import { WorkThreadEnded } from '../../../evaluation/threads/work-in-thread';
import type { ReadingReply, Readings, ResultPlaces } from './messages';

/** Results take memory that nobody needs who does not look at them; in milliseconds. */
const idleBeforeEnd = 5 * 60_000;

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads results in a thread. It starts with the first question, and ends when there was none for a while. */
export class ReadingWorker {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(
    /** The built program of `reading-thread.ts`. */
    private readonly program: string | URL,
    private readonly idleTime = idleBeforeEnd,
  ) {}

  /** Rejects with `WorkFailed`, whose message is for a person, or with `WorkThreadEnded`. */
  async read<M extends keyof Readings>(
    places: ResultPlaces,
    method: M,
    params: Readings[M]['params'],
  ): Promise<Readings[M]['result']> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#lastId += 1;
    const id = this.#lastId;
    return await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, places, method, params });
    });
  }

  #start(): Worker {
    const worker = newWorker(this.program);
    worker.unref();
    worker.on('message', (reply: ReadingReply) => this.#settle(reply));
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', (code) => this.#ended(worker, `exit code ${code}`));
    return worker;
  }

  #settle(reply: ReadingReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#restFrom();
    if (reply.kind === 'done') waiting?.resolve(reply.result as never);
    else waiting?.reject(new WorkFailed(reply));
  }

  #restFrom(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.dispose(), this.idleTime);
    this.#idle.unref();
  }

  #ended(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#refuseAll(new WorkThreadEnded(`The thread that reads the results ended: ${cause}`, { cause }));
  }

  #refuseAll(error: WorkThreadEnded): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    clearTimeout(this.#idle);
    for (const { reject } of waiting) reject(error);
  }

  /** Ends the thread; whoever still waits hears of it. The next question starts another one. */
  dispose(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#refuseAll(new WorkThreadEnded('The thread that reads the results was ended.'));
    void worker?.terminate();
  }
}

function newWorker(program: string | URL): Worker {
  try {
    return new Worker(program);
  } catch (cause) {
    throw new WorkThreadEnded(`The thread that reads the results could not be started: ${String(cause)}`, { cause });
  }
}
