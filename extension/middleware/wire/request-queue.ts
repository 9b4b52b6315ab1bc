/** How many may be at work, and the time after which one counts as waiting for something else (a model, a slow store), in milliseconds. */
interface LaneLimits {
  readonly atWork: number;
  readonly longestMs: number;
}

/** Reads and writes of a few overlap. More of them would only end later. */
const ofShort: LaneLimits = { atWork: 16, longestMs: 50 };

/** Reading takes some times the memory of a body, and nothing but the processor. */
const ofLong: LaneLimits = { atWork: 1, longestMs: 2_000 };

/** In bytes. Reading a body of this size takes some milliseconds. */
const longFrom = 256 * 1024;

/**
 * Begins work in the order in which it came, a few at a time: of many requests at once, the first are answered while the last ones
 * wait, instead of all at the end. Short ones do not wait for long ones.
 */
export class RequestQueue {
  readonly #short = new Lane(ofShort);
  readonly #long = new Lane(ofLong);

  /** `bytes`: size of the body that is read. */
  run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    return (bytes < longFrom ? this.#short : this.#long).run(work);
  }
}

class Lane {
  #atWork = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly limits: LaneLimits) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#atWork < this.limits.atWork) this.#atWork += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const leave = this.#place();
    const timer = setTimeout(leave, this.limits.longestMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  /** Returns what passes the place on to the next one, once. */
  #place(): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#atWork -= 1;
    };
  }
}
