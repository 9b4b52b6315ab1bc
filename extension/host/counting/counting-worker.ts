import { Worker } from 'node:worker_threads';
import type { CountTexts } from '../../engine/conversation/counting-ahead';
import type { CountReply, CountRequest } from './messages';

/** The counting thread could not start, or ended before it was done. */
export class CountingThreadEnded extends Error {
  override name = 'CountingThreadEnded';
}

/** Its tables take memory that a window which only follows does not need; in milliseconds. */
const idleBeforeEnd = 30_000;

interface Waiting {
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that counts. It starts when there is something to count, and ends when there was nothing for a while. */
export class CountingWorker {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(
    private readonly file: string,
    private readonly idleTime = idleBeforeEnd,
  ) {}

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Texts that are in the thread when they are cancelled are counted to their end, and nobody hears of it. */
  readonly count: CountTexts = async (texts, signal) => {
    signal.throwIfAborted();
    const worker = this.#running();
    this.#lastId += 1;
    const request: CountRequest = { id: this.#lastId, texts };
    const cancel = () => this.#take(request.id)?.reject(signal.reason);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(request.id, { resolve, reject });
        worker.postMessage(request);
      });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  #running(): Worker {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Worker {
    const worker = newWorker(this.file);
    worker.unref();
    worker.on('message', ({ id, counts }: CountReply) => this.#take(id)?.resolve(counts));
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', (code) => this.#ended(worker, `exit code ${code}`));
    return worker;
  }

  /** The one who waits for this reply, and for nothing any more. */
  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#restFrom();
    return waiting;
  }

  #restFrom(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.dispose(), this.idleTime);
    this.#idle.unref();
  }

  #ended(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#refuseAll(new CountingThreadEnded(`The counting thread ended: ${cause}`, { cause }));
  }

  #refuseAll(error: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    clearTimeout(this.#idle);
    for (const { reject } of waiting) reject(error);
  }

  /** Ends the thread; whoever still waits hears of it. Counting again starts another one. */
  dispose(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#refuseAll(new CountingThreadEnded('The counting thread was ended.'));
    void worker?.terminate();
  }
}

function newWorker(file: string): Worker {
  try {
    return new Worker(file);
  } catch (cause) {
    throw new CountingThreadEnded(`The counting thread could not be started: ${cause}`, { cause });
  }
}
