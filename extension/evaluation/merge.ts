import { localizable } from '../engine/wording/localizable-text';
import { type EvaluationResults, ResultsUnusable, unitContent } from './measure/evaluation-results';
import { type UnitLine, unitKey } from './measure/results';

interface NamedResults {
  readonly file: string;
  readonly results: EvaluationResults;
}

/**
 * Joins the shards of one run. Throws `ResultsUnusable` if they come from different runs, or if two of them disagree
 * about a unit.
 */
export function mergeResults(all: readonly NamedResults[]): EvaluationResults {
  const [first] = all;
  if (!first) throw new ResultsUnusable(localizable('There are no results to merge.'));
  const units = new Map<string, { readonly file: string; readonly unit: UnitLine }>();
  const texts = new Map<string, string>();
  for (const { file, results } of all) {
    refuseOtherRun(first, { file, results });
    for (const unit of results.units) {
      const known = units.get(unitKey(unit));
      if (known && unitContent(known.unit) !== unitContent(unit)) {
        throw new ResultsUnusable(
          localizable('{0} and {1} have different results for the unit "{2}".', known.file, file, unitKey(unit)),
        );
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
    throw new ResultsUnusable(
      localizable('{0} and {1} come from different runs: their settings differ.', one.file, other.file),
    );
  }
}
