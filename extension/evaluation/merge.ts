import { type EvaluationResults, ResultsUnusable, toldBy } from './measure/evaluation-results';
import { type UnitLine, unitKey } from './measure/results';

/** Results with the name of their file. */
export interface NamedResults {
  readonly file: string;
  readonly results: EvaluationResults;
}

/**
 * The shards of one run as one. Throws `ResultsUnusable` where they are not of one run, or where two of them tell a unit
 * differently.
 */
export function mergeResults(all: readonly NamedResults[]): EvaluationResults {
  const [first] = all;
  if (!first) throw new ResultsUnusable('There are no results to merge.');
  const units = new Map<string, { readonly file: string; readonly unit: UnitLine }>();
  const texts = new Map<string, string>();
  for (const { file, results } of all) {
    refuseOtherRun(first, { file, results });
    for (const unit of results.units) {
      const known = units.get(unitKey(unit));
      if (known && toldBy(known.unit) !== toldBy(unit)) {
        throw new ResultsUnusable(`${known.file} and ${file} tell the unit "${unitKey(unit)}" differently.`);
      }
      units.set(unitKey(unit), { file, unit });
    }
    for (const [key, text] of results.texts) texts.set(key, text);
  }
  const header = { ...first.results.header, shard: null };
  return { header, units: [...units.values()].map(({ unit }) => unit), texts };
}

function refuseOtherRun(one: NamedResults, other: NamedResults): void {
  const run = ({ results: { header } }: NamedResults) =>
    JSON.stringify([header.settings, header.madeWith.strata, header.units]);
  if (run(one) !== run(other)) {
    throw new ResultsUnusable(`${one.file} and ${other.file} are not of one run: their settings differ.`);
  }
}
