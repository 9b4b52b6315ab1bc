import { localizable } from '../../../engine/wording/localizable-text';
import { WorkFailed } from '../../../evaluation/threads/work';
import { WorkThreadEnded } from '../../../evaluation/threads/work-in-thread';
import { RequestThread } from '../../request-thread';
import type { ReadingReply, Readings, ResultPlaces } from './messages';

/** Frees the memory of results that are not displayed. */
const maxIdleMs = 5 * 60_000;

interface Question {
  readonly places: ResultPlaces;
  readonly method: keyof Readings;
  readonly params: Readings[keyof Readings]['params'];
}

/** The reading thread. It starts on demand and ends when idle. */
export class ReadingWorker {
  readonly #thread: RequestThread<Question, ReadingReply>;

  /** `program`: the built `reading-thread.ts`. */
  constructor(program: string | URL, idleTime = maxIdleMs) {
    const ended = (reason: string, cause?: unknown) =>
      new WorkThreadEnded(localizable('The thread that reads the results has ended: {0}', reason), { cause });
    this.#thread = new RequestThread(program, { idleTime, ended });
  }

  /** Rejects with `WorkFailed`, which has a message for a person, or with `WorkThreadEnded`. */
  async read<M extends keyof Readings>(
    places: ResultPlaces,
    method: M,
    params: Readings[M]['params'],
  ): Promise<Readings[M]['result']> {
    const reply = await this.#thread.ask({ places, method, params });
    if (reply.kind === 'done') return reply.result as Readings[M]['result'];
    throw new WorkFailed(reply);
  }

  /** Ends the thread and rejects pending requests. The next request starts a new thread. */
  dispose(): void {
    this.#thread.dispose();
  }
}
