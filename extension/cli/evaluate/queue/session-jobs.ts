import type { Measured, ReplayOwner, SessionOrder, SessionRead } from '../../../evaluation/sessions/replay-owner';
import { measureInThreads } from '../../../evaluation/threads/measure-in-threads';
import type { SessionJob } from './queued-replay';
import type { QueuedSessions } from './run-queue';

interface JobInHand {
  readonly job: SessionJob;
  readonly results: Measured[];
  readonly settled: PromiseWithResolvers<readonly Measured[]>;
}

/** Measures the sessions of jobs in threads. A thread without a job waits for the next one. */
export class SessionJobs implements ReplayOwner {
  readonly #inHand = new Map<number, JobInHand>();
  readonly #waiting: JobInHand[] = [];
  readonly #idle: ((order: SessionOrder | null) => void)[] = [];
  readonly #end = new AbortController();
  readonly #threads: Promise<void>;

  constructor({ header: { strategies } }: QueuedSessions, program: string, threads: number) {
    const signal = this.#end.signal;
    this.#threads = measureInThreads(this, program, { strategies, threads, signal }).catch((error) => {
      for (const { settled } of this.#inHand.values()) settled.reject(error);
    });
  }

  readonly measure = async (job: SessionJob): Promise<readonly Measured[]> => {
    const inHand: JobInHand = { job, results: [], settled: Promise.withResolvers() };
    this.#inHand.set(job.at, inHand);
    const idle = this.#idle.shift();
    if (idle) idle(job);
    else this.#waiting.push(inHand);
    return await inHand.settled.promise.finally(() => this.#inHand.delete(job.at));
  };

  readonly dispose = async (): Promise<void> => {
    this.#end.abort();
    for (const idle of this.#idle.splice(0)) idle(null);
    await this.#threads;
  };

  async next(): Promise<SessionOrder | null> {
    if (this.#end.signal.aborted) return null;
    const { job } = this.#waiting.shift() ?? {};
    return job ?? (await new Promise((resolve) => this.#idle.push(resolve)));
  }

  async read({ at, session, boundaries, skipped }: SessionRead) {
    const { job, settled } = this.#inHand.get(at) ?? {};
    if (!job) return { session: '', keys: [] };
    const found = new Set(boundaries.map(({ key }) => key));
    const reason = skipped.map((each) => each.reason)[0] ?? 'no session';
    if (session === null) settled?.reject(new Error(`it cannot be read: ${reason}`));
    else if (!job.keys.every((key) => found.has(key))) settled?.reject(new Error('the file is another one here'));
    else return { session: job.session, keys: job.keys };
    return { session: job.session, keys: [] };
  }

  async measured(result: Measured): Promise<void> {
    const { job, results = [], settled } = this.#inHand.get(result.at) ?? {};
    results.push(result);
    if (results.length === job?.keys.length) settled?.resolve(results);
  }
}
