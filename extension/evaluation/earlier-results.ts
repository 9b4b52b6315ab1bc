import { rename } from 'node:fs/promises';
import { localizable } from '../engine/wording/localizable-text';
import { exists } from '../platform/files/exists';
import { systemErrorCode } from '../platform/files/with-file';
import { ResultsUnusable } from './measure/evaluation-results';
import { type HeaderLine, unitKey } from './measure/results';
import { loadResults, refuseOtherRun } from './results-file';

/** The results that a run finds at the path where it will write its own. */
type EarlierResults =
  | { readonly kind: 'none' }
  /** A run with the same settings was stopped. `done`: keys of the units it finished. */
  | { readonly kind: 'begun'; readonly done: ReadonlySet<string> }
  | { readonly kind: 'complete' }
  /** Damaged, or from other settings or another version of Strata. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** Reads only; changes nothing. */
export async function findEarlierResults(path: string, header: HeaderLine): Promise<EarlierResults> {
  if (!(await exists(path))) return { kind: 'none' };
  try {
    const results = await loadResults(path);
    refuseOtherRun(path, results.header, header);
    const done = new Set(results.units.map(unitKey));
    return done.size < header.units ? { kind: 'begun', done } : { kind: 'complete' };
  } catch (error) {
    if (error instanceof ResultsUnusable) return { kind: 'unusable', reason: error.message };
    throw error;
  }
}

/**
 * Moves results that a new run cannot continue to `setAsidePath`. Results that were set aside before are overwritten.
 */
export async function setAside(path: string, found: EarlierResults): Promise<void> {
  if (found.kind !== 'complete' && found.kind !== 'unusable') return;
  try {
    await rename(path, setAsidePath(path));
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === null) throw cause;
    if (code !== 'ENOENT')
      throw new ResultsUnusable(localizable('{0}: these results cannot be replaced ({1}).', path, code), { cause });
  }
}

function setAsidePath(path: string): string {
  return path.replace(/(\.\w+)?$/, '.earlier$1');
}
