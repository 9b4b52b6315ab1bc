import type { HeaderLine, ResultLine, UnitLine } from './results';
import { resultsVersion, unitKey } from './results';

/** A results file, read. */
export interface EvaluationResults {
  readonly header: HeaderLine;
  /** Each once, in the order of the file. */
  readonly units: readonly UnitLine[];
  /** Of the contexts, by their keys; empty where the contexts were not kept. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A results file that cannot be used; the message names the line. */
export class ResultsUnusable extends Error {
  override name = 'ResultsUnusable';
}

/** Puts lines together. Throws `ResultsUnusable` where the first is no header that this Strata knows. */
export function resultsOf(lines: readonly ResultLine[]): EvaluationResults {
  const [header] = lines;
  if (header?.kind !== 'header')
    throw new ResultsUnusable('The first line of results says what they were made with; here it does not.');
  if (header.version > resultsVersion) {
    throw new ResultsUnusable(
      `These results are from a newer Strata: version ${header.version}, and this one knows ${resultsVersion}.`,
    );
  }
  const units = new Map<string, UnitLine>();
  const texts = new Map<string, string>();
  for (const line of lines) {
    if (line.kind === 'unit') units.set(unitKey(line), line);
    if (line.kind === 'texts') for (const [key, text] of Object.entries(line.texts)) texts.set(key, text);
  }
  return { header, units: [...units.values()], texts };
}
