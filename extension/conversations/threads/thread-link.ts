import { Worker } from 'node:worker_threads';
import { LocalizableError, type LocalizableText, localizable, wordingOf } from '../../engine/wording/localizable-text';
import { errorOf } from './failures';
import type { FromThread, Question, ToThread } from './messages';

/** How a thread with pending work ended. */
export type ThreadEnd =
  /** Its program is missing, or could not be loaded. */
  | 'not-started'
  | 'died'
  | 'out-of-memory'
  /** It sent nothing for too long. */
  | 'silent'
  /** Its owner ended it. */
  | 'disposed';

/** A compacting thread ended with pending work. */
export class ThreadEnded extends LocalizableError {
  override name = 'ThreadEnded';

  constructor(
    readonly end: ThreadEnd,
    wording: LocalizableText,
    options?: ErrorOptions,
  ) {
    super(wording, options);
  }
}

export interface ThreadOptions {
  /** The built program. */
  readonly program: string | URL;
  /** Maximum memory per thread in megabytes. Default: Node's limit. */
  readonly maxMemory?: number;
  readonly times: LinkTimes;
}

export interface LinkTimes {
  /** Milliseconds without work after which the thread ends and frees its memory. */
  readonly idleMs: number;
  /** Maximum milliseconds between messages from a thread with pending work. */
  readonly silentMs: number;
}

export interface Asked {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Extract<FromThread, { kind: 'progress' }>['progress']) => void;
  /** Answers by `tell`. */
  readonly onQuestion?: (question: number, asked: Question) => void;
}

type Reply = Extract<FromThread, { kind: 'counted' | 'copied' | 'prepared' }>;

interface Waiting extends Asked {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/** One compacting thread, from its start to its end. */
export class ThreadLink {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #hasSpoken = false;
  #end: ThreadEnded | null = null;

  /** Throws `ThreadEnded` if there can be no thread. */
  constructor(private readonly options: ThreadOptions) {
    this.#worker = started(options);
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error) => this.#ended(endOf(error, this.#hasSpoken)));
    this.#worker.on('exit', (code) =>
      this.#ended(new ThreadEnded('died', localizable('The compacting thread ended (exit code {0}).', code))),
    );
  }

  get isAlive(): boolean {
    return this.#end === null;
  }

  /** Number of pending requests. */
  get load(): number {
    return this.#waiting.size;
  }

  /** Rejects with `ThreadEnded`, with the failure of the work, or at once with the signal's reason. */
  async ask(order: (id: number) => ToThread, asked: Asked): Promise<Reply> {
    asked.signal.throwIfAborted();
    if (this.#end) throw this.#end;
    this.#lastId += 1;
    const id = this.#lastId;
    const abort = () => {
      this.tell({ kind: 'abort', id });
      this.#take(id)?.reject(asked.signal.reason);
    };
    asked.signal.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        // Throws if the order cannot be cloned.
        this.#worker.postMessage(order(id));
        this.#waiting.set(id, { ...asked, resolve, reject });
        this.#watch();
      });
    } finally {
      asked.signal.removeEventListener('abort', abort);
    }
  }

  tell(message: ToThread): void {
    if (this.isAlive) this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    this.#hasSpoken = true;
    switch (message.kind) {
      case 'progress':
        this.#waiting.get(message.id)?.onProgress?.(message.progress);
        break;
      case 'question':
        this.#waiting.get(message.id)?.onQuestion?.(message.question, message.asked);
        break;
      case 'failed':
        this.#take(message.id)?.reject(errorOf(message.failure));
        break;
      default:
        this.#take(message.id)?.resolve(message);
    }
    this.#watch();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#watch();
    return waiting;
  }

  /** Restarts the timer: for the next message if there is pending work, else for the next work. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.isAlive) return;
    const { idleMs, silentMs } = this.options.times;
    this.#timer =
      this.#waiting.size === 0 ? setTimeout(() => this.dispose(), idleMs) : setTimeout(() => this.#giveUp(), silentMs);
    this.#timer.unref();
  }

  #giveUp(): void {
    const seconds = Math.round(this.options.times.silentMs / 1000);
    const wording = localizable('The compacting thread did not answer for {0} seconds, so it was ended.', seconds);
    this.#ended(new ThreadEnded('silent', wording));
  }

  /** Ends the thread and rejects pending work. */
  dispose(): void {
    this.#ended(new ThreadEnded('disposed', localizable('The compacting thread was ended.')));
  }

  #ended(end: ThreadEnded): void {
    if (this.#end) return;
    this.#end = end;
    clearTimeout(this.#timer);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(end);
    void this.#worker.terminate();
  }
}

/** Memory for new objects, in megabytes. Node's 48 for each thread would mostly hold texts that were counted already. */
const newObjects = 12;

function started({ program, maxMemory }: ThreadOptions): Worker {
  const oldObjects = maxMemory === undefined ? {} : { maxOldGenerationSizeMb: maxMemory };
  const limits = { resourceLimits: { maxYoungGenerationSizeMb: newObjects, ...oldObjects } };
  try {
    return new Worker(program, limits);
  } catch (cause) {
    throw notStarted(cause);
  }
}

function endOf(error: Error, hasSpoken: boolean): ThreadEnded {
  const code = 'code' in error ? error.code : null;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new ThreadEnded('out-of-memory', localizable('The compacting thread ran out of memory.'), { cause: error });
  }
  if (!hasSpoken && (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')) {
    return notStarted(error);
  }
  return new ThreadEnded('died', localizable('The compacting thread failed: {0}', wordingOf(error)), { cause: error });
}

function notStarted(cause: unknown): ThreadEnded {
  const wording = localizable('The compacting thread could not be started: {0}', wordingOf(cause));
  return new ThreadEnded('not-started', wording, { cause });
}
