import pMap, { pMapSkip } from 'p-map';
import { ModelFailed } from '../engine/block/language-model';
import { LocalizableText, localizable, type PortableText, portableText } from '../engine/wording/localizable-text';
import type { PlayedUnit } from './measure/play';
import { type HeaderLine, type UnitId, unitKey } from './measure/results';
import { unitsOf } from './measure/units';
import { ResultsFile } from './results-file';
import type { TokenBudget } from './token-budget';

/** Plays one unit, in this thread or another. Rejects with `ModelFailed`, or with the signal's reason. */
export type PlayUnit = (unit: UnitId, signal: AbortSignal) => Promise<PlayedUnit>;

export interface EvaluationRun {
  readonly header: HeaderLine;
  /** Results file. Results of the same settings in it are continued. */
  readonly path: string;
  readonly play: PlayUnit;
  /** Keeps the texts of all contexts, so that the dashboard can show them. The file is ten times as large with them. */
  readonly keepsContexts: boolean;
  /** Number of units played at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Budget of the models that play. Once it is spent, no further unit begins, and unfinished units are left to the next run. */
  readonly budget?: TokenBudget;
  readonly onProgress?: (progress: EvaluationProgress) => void;
}

export interface EvaluationProgress {
  readonly done: number;
  readonly of: number;
  /** The unit that finished last; null before the first. */
  readonly unit: UnitId | null;
}

export interface RunOutcome {
  /** Units in the file now, and units of this run or shard in total. */
  readonly done: number;
  readonly of: number;
  /** The earlier run's file ended with an incomplete line. */
  readonly wasTorn: boolean;
  /** Units that could not be played, each with the reason. Starting the same run again plays them. */
  readonly failed: readonly PortableText[];
  /** The budget ended the run before all units were played. */
  readonly endedByBudget: boolean;
}

/** Failures in a row after which the run stops, because each call costs money. */
const failuresBeforeStop = 3;

/**
 * Plays the units that are not in the results file yet and writes each one when it is complete. Rejects with the
 * signal's reason, `ResultsUnusable` or `ResultsNotWritten`; written units are kept.
 */
export async function runEvaluation(run: EvaluationRun): Promise<RunOutcome> {
  const { header, path, play, keepsContexts, concurrency, signal, budget, onProgress } = run;
  const file = await ResultsFile.open(path, header);
  const units = unitsOf(header.settings, header.shard);
  const left = units.filter((unit) => !file.has(unit));
  const failed: PortableText[] = [];
  let done = units.length - left.length;
  let inRow = 0;
  onProgress?.({ done, of: units.length, unit: null });
  const one = async (unit: UnitId) => {
    signal.throwIfAborted();
    if (inRow >= failuresBeforeStop || budget?.hasRoom === false) return pMapSkip;
    const played = await playOrFail(unit, play, signal);
    // A unit that was refused a call may have continued without the answer.
    if (budget?.hasRefused) return pMapSkip;
    inRow = played instanceof LocalizableText ? inRow + 1 : 0;
    if (played instanceof LocalizableText) {
      failed.push(portableText(played));
      return pMapSkip;
    }
    await file.append(keepsContexts ? played : withoutContexts(played));
    done += 1;
    if (budget) budget.played += 1;
    onProgress?.({ done, of: units.length, unit });
    return pMapSkip;
  };
  await pMap(left, one, { concurrency });
  const endedByBudget = budget?.hasRoom === false && done + failed.length < units.length;
  return { done, of: units.length, wasTorn: file.wasTorn, failed, endedByBudget };
}

/** Returns the reason if a model failed. */
async function playOrFail(unit: UnitId, play: PlayUnit, signal: AbortSignal): Promise<PlayedUnit | LocalizableText> {
  try {
    return await play(unit, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelFailed) return localizable('{0}: {1}', unitKey(unit), error.wording);
    throw error;
  }
}

export function withoutContexts({ line }: PlayedUnit): PlayedUnit {
  const boundaries = line.boundaries.map((boundary) => ({
    ...boundary,
    before: { ...boundary.before, context: [] },
    after: { ...boundary.after, context: [] },
  }));
  return { line: { ...line, boundaries }, texts: new Map() };
}
