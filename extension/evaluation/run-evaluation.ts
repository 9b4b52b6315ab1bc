import pMap, { pMapSkip } from 'p-map';
import { ModelFailed } from '../engine/block/language-model';
import type { PlayedUnit } from './measure/play';
import { type HeaderLine, type UnitId, unitKey } from './measure/results';
import { unitsOf } from './measure/units';
import { ResultsFile } from './results-file';

/** Plays one unit: here, or in a thread. Rejects with `ModelFailed`, or with the signal's reason. */
export type PlayUnit = (unit: UnitId, signal: AbortSignal) => Promise<PlayedUnit>;

export interface EvaluationRun {
  readonly header: HeaderLine;
  /** Results of the same settings that are there already are gone on with. */
  readonly path: string;
  readonly play: PlayUnit;
  /** With the texts of all contexts the dashboard can show what was asked about; without, the file is a tenth as large. */
  readonly keepsContexts: boolean;
  /** Units at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: EvaluationProgress) => void;
}

export interface EvaluationProgress {
  readonly done: number;
  readonly of: number;
  /** That was played last; null before the first. */
  readonly unit: UnitId | null;
}

export interface RunOutcome {
  /** Units of this run, or this shard of it, that are in the file now, and that it has. */
  readonly done: number;
  readonly of: number;
  /** A line at the end of an earlier run's file was not whole. */
  readonly wasTorn: boolean;
  /** Units that could not be played, each with why. They are played when the same run is started again. */
  readonly failed: readonly string[];
}

/** After so many failures in a row nothing more is asked: each costs. */
const failuresBeforeStop = 3;

/**
 * Plays what is not in the results file yet, and writes each unit when it is whole. Rejects with the signal's reason
 * when it is aborted, with `ResultsUnusable` or `ResultsNotWritten`; what is written stays.
 */
export async function runEvaluation(run: EvaluationRun): Promise<RunOutcome> {
  const { header, path, play, keepsContexts, concurrency, signal, onProgress } = run;
  const file = await ResultsFile.open(path, header);
  const units = unitsOf(header.settings, header.shard);
  const left = units.filter((unit) => !file.has(unit));
  const failed: string[] = [];
  let done = units.length - left.length;
  let inRow = 0;
  onProgress?.({ done, of: units.length, unit: null });
  const one = async (unit: UnitId) => {
    signal.throwIfAborted();
    if (inRow >= failuresBeforeStop) return pMapSkip;
    const played = await playOrFail(unit, play, signal);
    inRow = typeof played === 'string' ? inRow + 1 : 0;
    if (typeof played === 'string') {
      failed.push(played);
      return pMapSkip;
    }
    await file.append(keepsContexts ? played : withoutContexts(played));
    done += 1;
    onProgress?.({ done, of: units.length, unit });
    return pMapSkip;
  };
  await pMap(left, one, { concurrency });
  return { done, of: units.length, wasTorn: file.wasTorn, failed };
}

/** Why it could not be played, where a model is the cause. */
async function playOrFail(unit: UnitId, play: PlayUnit, signal: AbortSignal): Promise<PlayedUnit | string> {
  try {
    return await play(unit, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelFailed) return `${unitKey(unit)}: ${error.message}`;
    throw error;
  }
}

function withoutContexts({ line }: PlayedUnit): PlayedUnit {
  const boundaries = line.boundaries.map((boundary) => ({
    ...boundary,
    before: { ...boundary.before, context: [] },
    after: { ...boundary.after, context: [] },
  }));
  return { line: { ...line, boundaries }, texts: new Map() };
}
