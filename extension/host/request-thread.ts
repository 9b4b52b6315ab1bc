import { Worker } from 'node:worker_threads';

export interface RequestThreadOptions {
  /** Idle time after which the thread ends, in milliseconds. */
  readonly idleTime: number;
  /** Makes the error for a thread that could not start, or ended with requests pending. */
  readonly ended: (reason: string, cause?: unknown) => Error;
}

interface PendingReply<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A worker thread that answers requests. It starts with the first request and ends after `idleTime` without one. Each
 * request has an `id`, and so has its reply.
 */
export class RequestThread<Question extends object, Reply extends { readonly id: number }> {
  readonly #waiting = new Map<number, PendingReply<Reply>>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(
    /** Path of the thread's built program. */
    private readonly program: string | URL,
    private readonly options: RequestThreadOptions,
  ) {}

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Cancelling rejects at once. The thread still finishes the request, and its reply is ignored. */
  async ask(question: Question, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    const worker = this.#running();
    this.#lastId += 1;
    const id = this.#lastId;
    const cancel = () => this.#takePending(id)?.reject(signal?.reason);
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
    worker.on('message', (reply: Reply) => this.#takePending(reply.id)?.resolve(reply));
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', (code) => this.#ended(worker, `exit code ${code}`));
    return worker;
  }

  #newWorker(): Worker {
    try {
      return new Worker(this.program);
    } catch (cause) {
      throw this.options.ended(String(cause), cause);
    }
  }

  /** Removes and returns the pending reply with this id. */
  #takePending(id: number): PendingReply<Reply> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#startIdleTimer();
    return waiting;
  }

  #startIdleTimer(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.dispose(), this.options.idleTime);
    this.#idle.unref();
  }

  #ended(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#rejectAll(this.options.ended(String(cause), cause));
  }

  #rejectAll(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    clearTimeout(this.#idle);
    for (const { reject } of waiting) reject(error);
  }

  /** Ends the thread and rejects pending requests. The next request starts a new thread. */
  dispose(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#rejectAll(this.options.ended('stopped'));
    void worker?.terminate();
  }
}
