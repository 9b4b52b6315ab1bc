import { availableParallelism, hostname } from 'node:os';
import { resolve, sep } from 'node:path';
import type { WritingTools } from '../../../engine/block/strategy';
import { playerNames } from '../../../evaluation/default-run';
import { type UnitId, unitKey } from '../../../evaluation/measure/results';
import { playHere } from '../../../evaluation/play-here';
import { type PlayUnit, withoutContexts } from '../../../evaluation/run-evaluation';
import { visibleText } from '../../../protocol/visible-text';
import { strataVersion } from '../../version';
import { measuringThread, playingThreads } from '../bundle';
import { playersOf } from '../players';
import type { SessionJob } from './queued-replay';
import {
  errorText,
  type JobOutcome,
  type QueuedRun,
  type QueuedSessions,
  type QueuedTasks,
  type RunQueue,
} from './run-queue';
import { SessionJobs } from './session-jobs';

interface WorkerOptions {
  /** Units at the same time; null for one per processor, or as many as the model allows. */
  readonly concurrency: number | null;
  /** The folder from which it reads sessions; null to read none. */
  readonly sessions: string | null;
  readonly onNotice: (message: string) => void;
}

interface TakenRun {
  dispose(): Promise<void>;
}

/**
 * If this many different units fail in a row, this machine is probably the cause. Each call of a model costs money, so the worker stops.
 */
const failuresBeforeEnd = 3;

const never = new AbortController().signal;

/** Plays the units of those runs that this Strata and its model can play. */
export class Worker {
  played = 0;
  lastFailure = '';
  readonly #taken = new Map<string, TakenRun>();
  readonly #failedInRow = new Set<string>();

  constructor(
    private readonly queue: RunQueue,
    private readonly writing: WritingTools,
    private readonly options: WorkerOptions,
  ) {}

  /** No run on the queue is for this worker. */
  get isIdle(): boolean {
    return this.#taken.size === 0;
  }

  get hasGivenUp(): boolean {
    return this.#failedInRow.size >= failuresBeforeEnd;
  }

  /** Takes units of new runs, and drops runs that are finished. */
  async follow(runs: ReadonlyMap<string, QueuedRun>): Promise<void> {
    for (const [name, taken] of this.#taken) {
      if (runs.has(name)) continue;
      this.#taken.delete(name);
      await this.queue.leave(name);
      await taken.dispose();
    }
    for (const [name, run] of runs) if (!this.#taken.has(name)) await this.#take(name, run);
  }

  /** Waits for the units in hand. */
  async close(): Promise<void> {
    await this.queue.close();
    await Promise.all([...this.#taken.values()].map((run) => run.dispose()));
  }

  async #take(name: string, run: QueuedRun): Promise<void> {
    const { onNotice } = this.options;
    const { time } = run.header;
    const reason = this.#unfitFor(run);
    if (reason !== null) {
      onNotice(`the run of ${time} is left to others: ${reason}`);
      return;
    }
    onNotice(`takes units of the run of ${time}`);
    if (run.kind === 'sessions') await this.#takeSessions(name, run);
    else await this.#takeTasks(name, run);
  }

  async #takeTasks(name: string, run: QueuedTasks): Promise<void> {
    const { model } = this.writing;
    const { settings } = run.header;
    const taken: TakenRun & { readonly play: PlayUnit } =
      model === null
        ? playingThreads({ tasks: run.tasks, settings })
        : { play: playHere(run.tasks, settings, this.#playersFor(run)), dispose: async () => undefined };
    this.#taken.set(name, taken);
    const concurrency = this.options.concurrency ?? model?.concurrency ?? availableParallelism();
    await this.queue.take<UnitId>(name, concurrency, (unit) =>
      this.#done(unitKey(unit), async () => {
        const played = await taken.play(unit, never);
        const { line, texts } = run.keepsContexts ? played : withoutContexts(played);
        return { line, texts: [...texts] };
      }),
    );
  }

  async #takeSessions(name: string, run: QueuedSessions): Promise<void> {
    const concurrency = this.options.concurrency ?? availableParallelism();
    const jobs = new SessionJobs(run, measuringThread(), concurrency);
    this.#taken.set(name, jobs);
    await this.queue.take<SessionJob>(name, concurrency, (job) => this.#done(job.address, () => jobs.measure(job)));
  }

  #playersFor({ header: { settings } }: QueuedTasks) {
    return playersOf(this.writing, { respondent: settings.respondent.kind, judges: settings.judge !== null });
  }

  /** Numbers of one run come from one Strata and one model. */
  #unfitFor(run: QueuedRun): string | null {
    const { strata } = run.header.madeWith;
    if (strata !== strataVersion) return `it is of Strata ${strata}, and this is ${strataVersion}`;
    return run.kind === 'sessions' ? this.#unfitForSessions(run) : this.#unfitForTasks(run);
  }

  #unfitForTasks(run: QueuedTasks): string | null {
    const { settings } = run.header;
    const names = playerNames(this.#playersFor(run));
    const differing = (Object.keys(names) as (keyof typeof names)[]).filter(
      (key) => JSON.stringify(names[key]) !== JSON.stringify(settings[key]),
    );
    const described = differing.map((key) => `${key} ${textOf(settings[key])}, here ${textOf(names[key])}`);
    return differing.length === 0 ? null : `it has another model (${described.join('; ')})`;
  }

  /** A job names a file. Users of the database must not be able to read every file of this machine. */
  #unfitForSessions({ header }: QueuedSessions): string | null {
    const folder = this.options.sessions;
    const other = header.sessions.find(([address]) => folder === null || !isBelow(folder, address));
    return other === undefined ? null : `it has sessions such as ${other[0]}; give their folder with --sessions`;
  }

  async #done(unit: string, doIt: () => Promise<unknown>): Promise<JobOutcome> {
    try {
      const text = JSON.stringify(await doIt());
      this.#failedInRow.clear();
      this.played += 1;
      return { kind: 'played', text };
    } catch (error) {
      const [reason = ''] = visibleText(errorText(error)).split('\n');
      this.#failedInRow.add(unit);
      this.lastFailure = reason;
      this.options.onNotice(`${unit}: ${reason}`);
      return { kind: 'failed', reason: `${reason} (on ${hostname()})` };
    }
  }
}

function isBelow(folder: string, address: string): boolean {
  return resolve(address) === address && address.startsWith(`${folder}${sep}`);
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  const { name, model = null } = value as { readonly name: string; readonly model?: string | null };
  return model === null || model === name ? name : `${name} ${model}`;
}
