import { asLocalizable, type PortableText, portableText } from '../../../engine/wording/localizable-text';
import type { PlayedUnit } from '../../../evaluation/measure/play';
import { type UnitId, unitKey } from '../../../evaluation/measure/results';
import { unitsOf } from '../../../evaluation/measure/units';
import { loadResults, ResultsFile } from '../../../evaluation/results-file';
import type { EvaluationRun, RunOutcome } from '../../../evaluation/run-evaluation';
import { collectJobs, persistently } from './collect-jobs';
import { type JobOutcome, type QueuedTasks, RunQueue } from './run-queue';

interface QueuedEvaluation extends Pick<EvaluationRun, 'path' | 'signal' | 'onProgress'> {
  readonly run: QueuedTasks;
  readonly onNotice: (message: string) => void;
}

/**
 * Puts the units that are not in the results file on a queue, and writes each result when a worker has it. A stopped run
 * continues where it stopped; workers play on meanwhile. Rejects with the signal's reason, `CommandFailed` or as `ResultsFile` does.
 */
export async function evaluateOnQueue(address: string, evaluation: QueuedEvaluation): Promise<RunOutcome> {
  return await RunQueue.during(address, (queue) => playedByWorkers(queue, evaluation));
}

async function playedByWorkers(queue: RunQueue, evaluation: QueuedEvaluation): Promise<RunOutcome> {
  const { path, run, onNotice, onProgress } = evaluation;
  const file = await ResultsFile.open(path, run.header);
  // A continued run keeps its first header, which has the time of its start.
  const begun: QueuedTasks = { ...run, header: (await loadResults(path)).header };
  const units = unitsOf(begun.header.settings);
  const left = units.filter((unit) => !file.has(unit));
  const collected = new Collected(file, units.length, units.length - left.length, onProgress);
  if (left.length > 0) {
    const asking = { ...evaluation, queue };
    const jobs = await persistently(() => queue.send(begun, left, unitKey), asking);
    onNotice(`units wait at ${queue.place} for "strata evaluate work --queue" on any machine`);
    onProgress?.({ done: collected.done, of: units.length, unit: null });
    await collectJobs(begun, jobs, collected.settle, asking);
  }
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

  readonly settle = async (unit: UnitId, outcome: JobOutcome): Promise<void> => {
    const played = outcome.kind === 'played' ? playedIn(outcome.text, unit) : outcome.reason;
    if (typeof played === 'string') {
      this.failed.push(portableText(asLocalizable(`${unitKey(unit)}: ${played}`)));
      return;
    }
    await this.file.append(played);
    this.done += 1;
    this.onProgress?.({ done: this.done, of: this.of, unit });
  };
}

/** A result comes from another machine, so a result that does not fit its unit is reported. */
function playedIn(text: string, unit: UnitId): PlayedUnit | string {
  const { line, texts } = JSON.parse(text) as { line: PlayedUnit['line']; texts: [string, string][] };
  return unitKey(line) === unitKey(unit)
    ? { line, texts: new Map(texts) }
    : `a worker gave the result of ${unitKey(line)}`;
}
