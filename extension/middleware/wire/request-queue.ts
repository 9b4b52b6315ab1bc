import type { AnswerQueue, RecordAnswer } from '../requests/recording';

/**
 * The number of pieces of work at a time, and the time after which one counts as waiting for something else (a model, a slow store), in
 * milliseconds.
 */
interface LaneLimits {
  readonly atWork: number;
  readonly longestMs: number;
}

/** Reads and writes of a few requests overlap. With more, each step of one waits for a step of all others, and all end late. */
const ofShort: LaneLimits = { atWork: 8, longestMs: 50 };

/** Reading takes several times the memory of a body, and only the processor. */
const ofLong: LaneLimits = { atWork: 1, longestMs: 2_000 };

/** In bytes. Reading a body of this size takes some milliseconds. */
const longFrom = 256 * 1024;

/**
 * Milliseconds for which an answer that has ended is not recorded. On a busy machine, the process of the client reads the answer only when
 * this process rests.
 */
const passingMs = 2;

/** Milliseconds for which waiting requests go before an answer that is to be stored. */
const answersWaitMs = 1_000;

/**
 * Begins work in the order in which it came, a few at a time: of many requests at once, the first are answered while the last ones wait,
 * instead of all at the end. Short ones do not wait for long ones, and no request waits for an answer to be stored, because its client
 * already has it.
 */
export class RequestQueue implements AnswerQueue {
  readonly #short = new Lane(ofShort);
  readonly #long = new Lane(ofLong);
  readonly #openAnswers = new Set<Promise<void>>();

  /** `bytes`: size of the body that is read. */
  run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    return (bytes < longFrom ? this.#short : this.#long).run(work);
  }

  /** An answer that is to be recorded. The returned function is called once, when the answer has ended. */
  beginAnswer(): RecordAnswer {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#openAnswers.add(promise);
    return async (record) => {
      try {
        await new Promise((later) => setTimeout(later, passingMs));
        await this.runAfterRequests(record);
      } finally {
        this.#openAnswers.delete(promise);
        resolve();
      }
    };
  }

  /**
   * Resolves with 0 when all answers are recorded, or are known not to be. After `limitMs`, with the number of those that are left.
   * A client may have all of its answer before it is recorded.
   */
  async answersRecorded(limitMs: number): Promise<number> {
    const { promise: limit, resolve } = Promise.withResolvers<void>();
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      resolve();
    }, limitMs);
    // An answer may still begin: that of a request that was read when the gateway began to stop.
    while (this.#openAnswers.size > 0 && !isOver) await Promise.race([Promise.all(this.#openAnswers), limit]);
    clearTimeout(timer);
    return this.#openAnswers.size;
  }

  /** Records an answer. */
  runAfterRequests<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#short.run(work, answersWaitMs);
  }
}

interface Waiting {
  readonly begin: () => void;
  /** The time from which it goes before others. */
  readonly at: number;
}

class Lane {
  #atWork = 0;
  readonly #waiting: (() => void)[] = [];
  /** Those that let others go before them. */
  readonly #patient: Waiting[] = [];

  constructor(private readonly limits: LaneLimits) {}

  /** `patienceMs`: for so long, others go before it. */
  async run<Result>(work: () => Promise<Result>, patienceMs = 0): Promise<Result> {
    if (this.#atWork < this.limits.atWork) this.#atWork += 1;
    else await new Promise<void>((begin) => this.#wait(begin, patienceMs));
    const leave = this.#place();
    const timer = setTimeout(leave, this.limits.longestMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  #wait(begin: () => void, patienceMs: number): void {
    if (patienceMs === 0) this.#waiting.push(begin);
    else this.#patient.push({ begin, at: performance.now() + patienceMs });
  }

  #next(): (() => void) | undefined {
    const [patient] = this.#patient;
    const isItsTurn = patient !== undefined && (this.#waiting.length === 0 || patient.at <= performance.now());
    return isItsTurn ? this.#patient.shift()?.begin : this.#waiting.shift();
  }

  /** Returns a function that passes the place on to the next one, once. */
  #place(): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      const next = this.#next();
      if (next) next();
      else this.#atWork -= 1;
    };
  }
}
