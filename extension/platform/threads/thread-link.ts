import { type ResourceLimits, Worker } from 'node:worker_threads';
import { errorOf, failureOf } from './failure';
import type { FromThread, MethodOf, ParamsOf, ResultOf, ThreadContract, ToThread } from './messages';
import { type ThreadEnded, ThreadEnds } from './thread-ended';

export interface ThreadOptions {
  /** The built program, which calls `serveOwner`. */
  readonly program: string | URL;
  /** Plain data that the program has at its start, as `workerData`. */
  readonly start?: unknown;
  /** Default: Node's. */
  readonly limits?: ResourceLimits;
  /** Milliseconds without a request after which the thread ends and frees its memory. Default: it stays. */
  readonly idleMs?: number;
  /**
   * Maximum milliseconds between messages of a thread with a pending request, except while its owner answers a question.
   * Default: no limit.
   */
  readonly silentMs?: number;
  /** Whether the process stays alive as long as the thread. Default: false. */
  readonly holdsProcess?: boolean;
}

export interface RequestOptions<C extends ThreadContract> {
  readonly signal?: AbortSignal;
  /**
   * Milliseconds that the thread gets to settle an aborted request, for example to finish what it writes. Default: 0,
   * which rejects at once and ignores the reply.
   */
  readonly graceMs?: number;
  readonly onProgress?: (progress: C['progress']) => void;
  /**
   * The thread handles a rejection. `onText` sends parts of an answer's text ahead. `signal` is aborted when the request settles before the
   * answer.
   */
  readonly onQuestion?: (
    question: C['question'],
    onText: (text: string) => void,
    signal: AbortSignal,
  ) => Promise<C['answer']>;
}

interface PendingRequest<C extends ThreadContract> extends Pick<RequestOptions<C>, 'onProgress' | 'onQuestion'> {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  /** Aborted when the request settles. */
  readonly settled: AbortController;
  /** Number of questions that the owner is answering. */
  questions: number;
}

/** The event that is waited for: the owner's next request, the thread's next message, or the owner's answer (without a limit). */
type Waiting = 'request' | 'message' | 'answer';

/** A worker thread that answers requests, from its start to its end. */
export class ThreadLink<C extends ThreadContract> {
  readonly #worker: Worker;
  readonly #ends: ThreadEnds;
  readonly #pending = new Map<number, PendingRequest<C>>();
  #timer: NodeJS.Timeout | undefined;
  /** The wait that the timer limits; null if the timer must restart. */
  #timed: Waiting | null = null;
  #lastId = 0;
  #hasReplied = false;
  #end: ThreadEnded | null = null;

  /** Throws `ThreadEnded` if there can be no thread. */
  constructor(private readonly options: ThreadOptions) {
    const { program, start, limits, holdsProcess = false } = options;
    this.#ends = new ThreadEnds(program);
    try {
      this.#worker = new Worker(program, { workerData: start, ...(limits ? { resourceLimits: limits } : {}) });
    } catch (cause) {
      throw this.#ends.notStarted(cause);
    }
    if (!holdsProcess) this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error: Error) => this.#close(this.#ends.failed(error, this.#hasReplied)));
    this.#worker.on('exit', (code) => this.#close(this.#ends.exited(code)));
  }

  get isAlive(): boolean {
    return this.#end === null;
  }

  /** Number of pending requests. */
  get load(): number {
    return this.#pending.size;
  }

  /** Rejects with `ThreadEnded`, with the failure that the thread reported, or with the signal's reason. */
  async request<M extends MethodOf<C>>(
    method: M,
    params: ParamsOf<C, M>,
    { signal, graceMs = 0, ...listeners }: RequestOptions<C> = {},
  ): Promise<ResultOf<C, M>> {
    signal?.throwIfAborted();
    if (this.#end) throw this.#end;
    this.#lastId += 1;
    const id = this.#lastId;
    let grace: NodeJS.Timeout | undefined;
    const abort = () => {
      this.#post({ kind: 'abort', id });
      const reject = () => this.#take(id, signal?.reason)?.reject(signal?.reason);
      if (graceMs === 0) reject();
      else grace = setTimeout(reject, graceMs);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<ResultOf<C, M>>((resolve, reject) => {
        // Throws if the parameters cannot be cloned.
        this.#post({ kind: 'request', id, method, params });
        this.#pending.set(id, { ...listeners, resolve, reject, settled: new AbortController(), questions: 0 });
        this.#watch();
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      clearTimeout(grace);
    }
  }

  #post(message: ToThread): void {
    if (this.isAlive) this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    this.#hasReplied = true;
    switch (message.kind) {
      case 'progress':
        this.#pending.get(message.id)?.onProgress?.(message.progress);
        break;
      case 'question':
        void this.#answer(this.#pending.get(message.id), message.question, message.asked);
        break;
      case 'done':
        this.#take(message.id)?.resolve(message.result as never);
        break;
      case 'failed':
        this.#take(message.id)?.reject(errorOf(message.failure));
    }
    this.#timed = null;
    this.#watch();
  }

  async #answer(request: PendingRequest<C> | undefined, question: number, asked: C['question']): Promise<void> {
    try {
      if (!request?.onQuestion) throw new Error('A thread asked a question that its owner does not answer.');
      const answer = await this.#answerOf(request, question, asked);
      this.#post({ kind: 'answer', question, answer });
    } catch (error) {
      this.#post({ kind: 'unanswered', question, failure: failureOf(error) });
    }
  }

  async #answerOf(request: PendingRequest<C>, question: number, asked: C['question']): Promise<C['answer']> {
    const onText = (text: string) => this.#post({ kind: 'text', question, text });
    request.questions += 1;
    try {
      return await request.onQuestion?.(asked, onText, request.settled.signal);
    } finally {
      request.questions -= 1;
      this.#watch();
    }
  }

  #take(id: number, reason?: unknown): PendingRequest<C> | undefined {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    request?.settled.abort(reason);
    this.#watch();
    return request;
  }

  /** Begins the timer for what is awaited now, unless it runs: further requests give a stuck thread no more time. */
  #watch(): void {
    const waiting = this.#waiting();
    if (waiting === this.#timed) return;
    clearTimeout(this.#timer);
    this.#timed = waiting;
    const { idleMs, silentMs } = this.options;
    const ms = { request: idleMs, message: silentMs, answer: undefined }[waiting];
    if (!this.isAlive || ms === undefined) return;
    const end = () => (waiting === 'request' ? this.#ends.disposed() : this.#ends.silent(ms));
    this.#timer = setTimeout(() => this.#close(end()), ms);
    this.#timer.unref();
  }

  #waiting(): Waiting {
    const requests = [...this.#pending.values()];
    if (requests.length === 0) return 'request';
    return requests.some(({ questions }) => questions > 0) ? 'answer' : 'message';
  }

  /** Ends the thread and rejects pending requests. Settles once it has ended, so that nothing is written afterwards. */
  async dispose(): Promise<void> {
    this.#close(this.#ends.disposed());
    await this.#worker.terminate();
  }

  #close(end: ThreadEnded): void {
    if (this.#end) return;
    this.#end = end;
    clearTimeout(this.#timer);
    const requests = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject, settled } of requests) {
      settled.abort(end);
      reject(end);
    }
    void this.#worker.terminate();
  }
}

/** A thread that starts with the first request, and again with the first one after it ended. */
export class ThreadOnDemand<C extends ThreadContract> {
  #link: ThreadLink<C> | null = null;

  constructor(private readonly options: ThreadOptions) {}

  get isRunning(): boolean {
    return this.#link?.isAlive ?? false;
  }

  async request<M extends MethodOf<C>>(
    method: M,
    params: ParamsOf<C, M>,
    options: RequestOptions<C> = {},
  ): Promise<ResultOf<C, M>> {
    options.signal?.throwIfAborted();
    if (!this.#link?.isAlive) this.#link = new ThreadLink(this.options);
    return await this.#link.request(method, params, options);
  }

  /** Ends the thread and rejects pending requests. The next request starts a new one. */
  async dispose(): Promise<void> {
    await this.#link?.dispose();
  }
}
