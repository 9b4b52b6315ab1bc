import { availableParallelism, hostname } from 'node:os';
import type { WritingTools } from '../../../engine/block/strategy';
import { playerNames } from '../../../evaluation/default-run';
import { type UnitId, unitKey } from '../../../evaluation/measure/results';
import { playHere } from '../../../evaluation/play-here';
import { type PlayUnit, withoutContexts } from '../../../evaluation/run-evaluation';
import { withoutControls } from '../../opened';
import { strataVersion } from '../../version';
import { playersOf } from '../players';
import { playingThreads } from '../playing-threads';
import { type JobOutcome, type QueuedRun, type RunQueue, reasonOf } from './run-queue';

interface WorkerOptions {
  /** Units at the same time; null for one per processor, or as many as the model allows. */
  readonly concurrency: number | null;
  readonly onNotice: (message: string) => void;
}

interface TakenRun {
  readonly play: PlayUnit;
  readonly dispose: () => Promise<void>;
}

/** Different units that fail one after the other: then this machine is to blame, and each call of a model costs money. */
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

  /** Takes units of new runs, and leaves those that are done. */
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
    await Promise.all([...this.#taken.values()].map(({ dispose }) => dispose()));
  }

  async #take(name: string, run: QueuedRun): Promise<void> {
    const { onNotice } = this.options;
    const { time, settings } = run.header;
    const reason = this.#unfitFor(run);
    if (reason !== null) {
      onNotice(`the run of ${time} is left to others: ${reason}`);
      return;
    }
    const players = this.#playersFor(run);
    const { model } = this.writing;
    const taken: TakenRun =
      model === null
        ? playingThreads({ tasks: run.tasks, settings })
        : { play: playHere(run.tasks, settings, players), dispose: async () => undefined };
    this.#taken.set(name, taken);
    onNotice(`takes units of the run of ${time}`);
    const concurrency = this.options.concurrency ?? model?.concurrency ?? availableParallelism();
    await this.queue.take(name, concurrency, (unit) => this.#play(unit, run, taken));
  }

  #playersFor({ header: { settings } }: QueuedRun) {
    return playersOf(this.writing, { respondent: settings.respondent.kind, judges: settings.judge !== null });
  }

  /** Numbers of one run come from one Strata and one model. */
  #unfitFor(run: QueuedRun): string | null {
    const { madeWith, settings } = run.header;
    if (madeWith.strata !== strataVersion) return `it is of Strata ${madeWith.strata}, and this is ${strataVersion}`;
    const names = playerNames(this.#playersFor(run));
    const differing = (Object.keys(names) as (keyof typeof names)[]).filter(
      (key) => JSON.stringify(names[key]) !== JSON.stringify(settings[key]),
    );
    const described = differing.map((key) => `${key} ${textOf(settings[key])}, here ${textOf(names[key])}`);
    return differing.length === 0 ? null : `it has another model (${described.join('; ')})`;
  }

  async #play(unit: UnitId, { keepsContexts }: QueuedRun, { play }: TakenRun): Promise<JobOutcome> {
    try {
      const played = await play(unit, never);
      const { line, texts } = keepsContexts ? played : withoutContexts(played);
      this.#failedInRow.clear();
      this.played += 1;
      return { kind: 'played', text: JSON.stringify({ line, texts: [...texts] }) };
    } catch (error) {
      const [reason = ''] = withoutControls(reasonOf(error)).split('\n');
      this.#failedInRow.add(unitKey(unit));
      this.lastFailure = reason;
      this.options.onNotice(`${unitKey(unit)}: ${reason}`);
      return { kind: 'failed', reason: `${reason} (on ${hostname()})` };
    }
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  const { name, model = null } = value as { readonly name: string; readonly model?: string | null };
  return model === null || model === name ? name : `${name} ${model}`;
}
