import { Worker } from 'node:worker_threads';

export interface AskedThreadOptions {
  /** How long it may be idle before it ends, in milliseconds. */
  readonly idleTime: number;
  /** Of a thread that could not start, or ended while somebody waited. `how` goes on after what the thread is called. */
  readonly ended: (how: string, cause?: unknown) => Error;
}

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that answers questions. It starts with the first one, and ends when there was none for a while. Questions go out
 * with an `id`, and each is answered by one reply with the same.
 */
export class AskedThread<Question extends object, Reply extends { readonly id: number }> {
  readonly #waiting = new Map<number, Waiting<Reply>>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(
    /** The built program of the thread. */
    private readonly program: string | URL,
    private readonly options: AskedThreadOptions,
  ) {}

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** A question that is in the thread when it is cancelled is worked on to its end, and nobody hears of it. */
  async ask(question: Question, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    const worker = this.#running();
    this.#lastId += 1;
    const id = this.#lastId;
    const cancel = () => this.#take(id)?.reject(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        worker.postMessage({ ...question, id });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #running(): Worker {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Worker {
    const worker = this.#newWorker();
    worker.unref();
    worker.on('message', (reply: Reply) => this.#take(reply.id)?.resolve(reply));
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', (code) => this.#ended(worker, `exit code ${code}`));
    return worker;
  }

  #newWorker(): Worker {
    try {
      return new Worker(this.program);
    } catch (cause) {
      throw this.options.ended(`could not be started: ${cause}`, cause);
    }
  }

  /** The one who waits for this reply, and for nothing any more. */
  #take(id: number): Waiting<Reply> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#restFrom();
    return waiting;
  }

  #restFrom(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.dispose(), this.options.idleTime);
    this.#idle.unref();
  }

  #ended(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#refuseAll(this.options.ended(`ended: ${cause}`, cause));
  }

  #refuseAll(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    clearTimeout(this.#idle);
    for (const { reject } of waiting) reject(error);
  }

  /** Ends the thread; whoever still waits hears of it. The next question starts another one. */
  dispose(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#refuseAll(this.options.ended('was ended.'));
    void worker?.terminate();
  }
}
