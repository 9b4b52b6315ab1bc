import { WorkFailed } from '../../../evaluation/threads/work';
import { WorkThreadEnded } from '../../../evaluation/threads/work-in-thread';
import { AskedThread } from '../../asked-thread';
import type { ReadingReply, Readings, ResultPlaces } from './messages';

/** Results take memory that nobody needs who does not look at them; in milliseconds. */
const idleBeforeEnd = 5 * 60_000;

interface Question {
  readonly places: ResultPlaces;
  readonly method: keyof Readings;
  readonly params: Readings[keyof Readings]['params'];
}

/** Reads results in a thread. It starts with the first question, and ends when there was none for a while. */
export class ReadingWorker {
  readonly #thread: AskedThread<Question, ReadingReply>;

  /** `program` is the built one of `reading-thread.ts`. */
  constructor(program: string | URL, idleTime = idleBeforeEnd) {
    const ended = (how: string, cause?: unknown) =>
      new WorkThreadEnded(`The thread that reads the results ${how}`, { cause });
    this.#thread = new AskedThread(program, { idleTime, ended });
  }

  /** Rejects with `WorkFailed`, whose message is for a person, or with `WorkThreadEnded`. */
  async read<M extends keyof Readings>(
    places: ResultPlaces,
    method: M,
    params: Readings[M]['params'],
  ): Promise<Readings[M]['result']> {
    const reply = await this.#thread.ask({ places, method, params });
    if (reply.kind === 'done') return reply.result as Readings[M]['result'];
    throw new WorkFailed(reply);
  }

  /** Ends the thread; whoever still waits hears of it. The next question starts another one. */
  dispose(): void {
    this.#thread.dispose();
  }
}
