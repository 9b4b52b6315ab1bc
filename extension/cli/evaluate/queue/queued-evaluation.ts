import { setTimeout as delay } from 'node:timers/promises';
import { asLocalizable, type PortableText, portableText } from '../../../engine/wording/localizable-text';
import type { PlayedUnit } from '../../../evaluation/measure/play';
import { type UnitId, unitKey } from '../../../evaluation/measure/results';
import { unitsOf } from '../../../evaluation/measure/units';
import { loadResults, ResultsFile } from '../../../evaluation/results-file';
import type { EvaluationRun, RunOutcome } from '../../../evaluation/run-evaluation';
import { CommandFailed } from '../../command-failed';
import { type QueuedRun, type RunQueue, reasonOf, type SettledJob } from './run-queue';

export interface QueuedEvaluation extends Pick<EvaluationRun, 'path' | 'signal' | 'onProgress'> {
  readonly run: QueuedRun;
  readonly onNotice: (message: string) => void;
}

type Asking = Pick<QueuedEvaluation, 'signal' | 'onNotice'> & { readonly queue: RunQueue };

/** In milliseconds. */
const waits = { betweenLooks: 500, untilGivenUp: 60_000 };

/**
 * Puts the units that are not in the results file on a queue, and writes each result when a worker has it. The same run goes on
 * where it was stopped; workers play on meanwhile. Rejects with the signal's reason, `CommandFailed` or as `ResultsFile` does.
 */
export async function evaluateOnQueue(queue: RunQueue, evaluation: QueuedEvaluation): Promise<RunOutcome> {
  const { path, run } = evaluation;
  const file = await ResultsFile.open(path, run.header);
  // Of a run that goes on, the header with the time at which it began.
  const begun: QueuedRun = { ...run, header: (await loadResults(path)).header };
  const units = unitsOf(begun.header.settings);
  const left = units.filter((unit) => !file.has(unit));
  const collected = new Collected(file, units.length, units.length - left.length, evaluation.onProgress);
  if (left.length > 0) await collected.collect(begun, left, { ...evaluation, queue });
  return {
    done: collected.done,
    of: units.length,
    wasTorn: file.wasTorn,
    failed: collected.failed,
    endedByBudget: false,
  };
}

class Collected {
  readonly failed: PortableText[] = [];

  constructor(
    private readonly file: ResultsFile,
    private readonly of: number,
    public done: number,
    private readonly onProgress: QueuedEvaluation['onProgress'],
  ) {}

  async collect(run: QueuedRun, units: readonly UnitId[], asking: Asking): Promise<void> {
    const { queue, signal } = asking;
    const left = new Map(await persistently(() => queue.send(run, units), asking));
    asking.onNotice(`units wait at ${queue.place} for "strata evaluate work --queue" on any machine`);
    this.onProgress?.({ done: this.done, of: this.of, unit: null });
    while (left.size > 0) {
      signal.throwIfAborted();
      const { jobs, isEmpty } = await persistently(() => queue.settled(run), asking);
      if (isEmpty) throw new CommandFailed(`${left.size} units are no longer on the queue; run the same command again`);
      for (const job of jobs) await this.#settle(job, left);
      await persistently(() => queue.forget(run, jobs.map(idOf)), asking);
      if (jobs.length === 0) await delay(waits.betweenLooks, undefined, { signal }).catch(() => undefined);
    }
    await persistently(() => queue.remove(run), asking);
  }

  async #settle({ id, outcome }: SettledJob, left: Map<string, UnitId>): Promise<void> {
    const unit = left.get(id);
    if (!unit || !left.delete(id)) return;
    const played = outcome.kind === 'played' ? playedIn(outcome.text, unit) : outcome.reason;
    if (typeof played === 'string') {
      this.failed.push(portableText(asLocalizable(`${unitKey(unit)}: ${played}`)));
      return;
    }
    await this.file.append(played);
    this.done += 1;
    this.onProgress?.({ done: this.done, of: this.of, unit });
  }
}

const idOf = ({ id }: SettledJob) => id;

/** A result comes from another machine, so what is no result of this unit is told. */
function playedIn(text: string, unit: UnitId): PlayedUnit | string {
  const { line, texts } = JSON.parse(text) as { line: PlayedUnit['line']; texts: [string, string][] };
  return unitKey(line) === unitKey(unit)
    ? { line, texts: new Map(texts) }
    : `a worker gave the result of ${unitKey(line)}`;
}

/** Databases are restarted; a run of days does not end with that. */
async function persistently<T>(ask: () => Promise<T>, { queue, signal, onNotice }: Asking): Promise<T> {
  const until = Date.now() + waits.untilGivenUp;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const trouble = `the queue at ${queue.place} is away: ${reasonOf(error)}`;
      if (Date.now() > until)
        throw new CommandFailed(`${trouble}; results so far are kept, and the same command goes on`);
      if (attempt === 1) onNotice(`${trouble}; trying for a minute`);
    }
    await delay(waits.betweenLooks, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}
