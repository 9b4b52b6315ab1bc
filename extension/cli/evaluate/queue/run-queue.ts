import type { PgBoss } from 'pg-boss';
import type { HeaderLine } from '../../../evaluation/measure/results';
import type { Task } from '../../../evaluation/measure/tasks/task';
import type { ReplayHeader } from '../../../evaluation/sessions/replay-records';
import { sha256Of } from '../../../platform/files/sha256';
import { CommandFailed } from '../../command-failed';

/** A run whose units are played by workers. */
export type QueuedRun = QueuedTasks | QueuedSessions;

/** A unit is a `UnitId`. */
export interface QueuedTasks {
  readonly kind: 'tasks';
  readonly header: HeaderLine;
  readonly tasks: readonly Task[];
  /** Results include the texts of all contexts. */
  readonly keepsContexts: boolean;
}

/** A replay. A unit is a session with the boundaries to measure. */
export interface QueuedSessions {
  readonly kind: 'sessions';
  readonly header: ReplayHeader;
}

/** `text`: the result as JSON. */
export type JobOutcome =
  | { readonly kind: 'played'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string };

interface SettledJob {
  readonly id: string;
  readonly outcome: JobOutcome;
}

const schema = 'strata_evaluation';

/** Each run is a job of this queue that no worker takes. Its units have a queue of their own. */
const runsQueue = 'runs';

const day = 24 * 60 * 60;

/** If a worker sends no heartbeat for this many seconds, its unit goes to another worker. The minimum that pg-boss allows. */
const heartbeatSeconds = 10;

const unitJobs = {
  heartbeatSeconds,
  expireInSeconds: day - 1,
  retentionSeconds: 30 * day,
  deleteAfterSeconds: 30 * day,
  // Retries are only for lost workers: a unit that fails has an outcome.
  retryLimit: 3,
};

/** In seconds. */
const supervision = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };

/** Maximum number of jobs looked at for results at a time. */
const jobsAtATime = 1000;

/**
 * Evaluation runs as jobs in a Postgres database. Contents travel as JSON texts: `jsonb` sorts keys and refuses some characters.
 * The caller closes it.
 */
export class RunQueue {
  private constructor(
    private readonly boss: PgBoss,
    /** Without its password. */
    readonly place: string,
  ) {}

  /** Creates the tables if they are missing. Throws `CommandFailed` if the database cannot be used. */
  static async open(address: string, onTrouble: (error: Error) => void): Promise<RunQueue> {
    const place = placeOf(address);
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({ connectionString: address, schema, schedule: false, max: 8, ...supervision });
    boss.on('error', onTrouble);
    try {
      await boss.start();
      await boss.createQueue(runsQueue, { retentionSeconds: 30 * day });
    } catch (cause) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      throw new CommandFailed(`the queue at ${place} cannot be used: ${errorText(cause)}`);
    }
    return new RunQueue(boss, place);
  }

  /** Opens the queue for some work, and closes it. A connection that breaks between two queries shows in the next query. */
  static async during<T>(address: string, work: (queue: RunQueue) => Promise<T>): Promise<T> {
    const queue = await RunQueue.open(address, () => undefined);
    try {
      return await work(queue);
    } finally {
      await queue.close();
    }
  }

  /** Puts these units of a run on the queue, except those that are on it already. Returns the ids of their jobs. */
  async send<Unit>(
    run: QueuedRun,
    units: readonly Unit[],
    keyOf: (unit: Unit) => string,
  ): Promise<ReadonlyMap<string, Unit>> {
    const name = queueOf(run);
    await this.boss.createQueue(name, unitJobs);
    const jobs = new Map(units.map((unit) => [idOf(name, keyOf(unit)), unit]));
    const inserts = [...jobs].map(([id, unit]) => ({ id, data: { text: JSON.stringify(unit) } }));
    for (let at = 0; at < inserts.length; at += jobsAtATime)
      await this.boss.insert(name, inserts.slice(at, at + jobsAtATime));
    await this.boss.insert(runsQueue, [{ id: idOf(runsQueue, name), data: { text: JSON.stringify(run) } }]);
    return jobs;
  }

  /** Finished jobs of a run, and whether any other is left. */
  async settled(run: QueuedRun): Promise<{ readonly jobs: readonly SettledJob[]; readonly isEmpty: boolean }> {
    const jobs = await this.boss.findJobs(queueOf(run), { limit: jobsAtATime });
    const settled = jobs.flatMap(({ id, state, output }): SettledJob[] => {
      if (state === 'completed') return [{ id, outcome: output as JobOutcome }];
      if (state !== 'failed' && state !== 'cancelled') return [];
      return [{ id, outcome: { kind: 'failed', reason: `its workers were lost (${messageIn(output) ?? state})` } }];
    });
    return { jobs: settled, isEmpty: jobs.length === 0 };
  }

  /** Removes jobs whose results are stored from the queue. */
  async forget(run: QueuedRun, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.boss.deleteJob(queueOf(run), [...ids]);
  }

  /** Takes a run off the queue. */
  async remove(run: QueuedRun): Promise<void> {
    await this.boss.deleteJob(runsQueue, idOf(runsQueue, queueOf(run)));
    await this.boss.deleteQueue(queueOf(run));
  }

  /** The runs on the queue, by name. */
  async runs(): Promise<ReadonlyMap<string, QueuedRun>> {
    const jobs = await this.boss.findJobs<{ text: string }>(runsQueue, { queued: true });
    const runs = jobs.map(({ data }) => JSON.parse(data.text) as QueuedRun);
    return new Map(runs.map((run) => [queueOf(run), run]));
  }

  /** Takes units of a run, at most this many at a time, until `leave` or `close`. */
  async take<Unit>(name: string, concurrency: number, play: (unit: Unit) => Promise<JobOutcome>): Promise<void> {
    const options = { localConcurrency: concurrency, pollingIntervalSeconds: 0.5 };
    await this.boss.work<{ text: string }>(name, options, async ([job]) => {
      if (!job) return undefined;
      return await play(JSON.parse(job.data.text));
    });
  }

  async leave(name: string): Promise<void> {
    await this.boss.offWork(name, { wait: true });
  }

  /** Waits for the units in hand. */
  async close(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: day * 1000 });
  }
}

/** One folder's run: its header has the time at which it began. */
function queueOf({ header }: QueuedRun): string {
  return `run-${sha256Of(JSON.stringify(header)).slice(0, 24)}`;
}

function idOf(queue: string, content: string): string {
  return sha256Of(`${queue} ${content}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function messageIn(output: unknown): string | null {
  const { message, value } = (output ?? {}) as { readonly message?: unknown; readonly value?: unknown };
  return typeof message === 'string' ? message : value ? messageIn(value) : null;
}

/** Throws `CommandFailed` if this is not the address of a Postgres database. */
function placeOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hostname === '')
    throw new CommandFailed('--queue needs the address of a Postgres database: postgres://USER@HOST:PORT/NAME', true);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** If all addresses of one name fail, the error has an empty message. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(errorText).join(', ');
  return error instanceof Error ? error.message : String(error);
}
