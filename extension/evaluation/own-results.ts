import { rename } from 'node:fs/promises';
import { exists } from '../sessions/files/exists';
import { systemErrorCode } from '../sessions/files/with-file';
import { ResultsUnusable } from './measure/evaluation-results';
import { type HeaderLine, unitKey } from './measure/results';
import { loadResults, refuseOther } from './results-file';

/** What a run finds at the place where it writes. */
export type OwnResults =
  | { readonly kind: 'none' }
  /** A run of the same settings was stopped; these units are there, by their keys. */
  | { readonly kind: 'begun'; readonly done: ReadonlySet<string> }
  | { readonly kind: 'complete' }
  /** Damaged, of other settings or of another Strata. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** Nothing is changed. */
export async function lookAtOwnResults(path: string, header: HeaderLine): Promise<OwnResults> {
  if (!(await exists(path))) return { kind: 'none' };
  try {
    const results = await loadResults(path);
    refuseOther(path, results.header, header);
    const done = new Set(results.units.map(unitKey));
    return done.size < header.units ? { kind: 'begun', done } : { kind: 'complete' };
  } catch (error) {
    if (error instanceof ResultsUnusable) return { kind: 'unusable', reason: error.message };
    throw error;
  }
}

/**
 * Makes room for a run that cannot go on with what there is: it is set aside as one earlier file, and what was set aside
 * before is no more.
 */
export async function makeRoom(path: string, found: OwnResults): Promise<void> {
  if (found.kind !== 'complete' && found.kind !== 'unusable') return;
  try {
    await rename(path, earlierResults(path));
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === null) throw cause;
    if (code !== 'ENOENT') throw new ResultsUnusable(`${path}: these results cannot be replaced (${code}).`, { cause });
  }
}

/** Where the results that a run took the place of are kept. */
export function earlierResults(path: string): string {
  return path.replace(/(\.\w+)?$/, '.earlier$1');
}
