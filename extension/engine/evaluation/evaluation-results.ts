import { type HeaderLine, type ResultLine, resultsVersion, type UnitLine, unitKey } from './results';
import { readResultLine } from './results-schema';

/** Results as they were read. */
export interface EvaluationResults {
  readonly header: HeaderLine;
  /** Each once, in the order of the file. */
  readonly units: readonly UnitLine[];
  /** Of the contexts, by their keys; empty where the contexts were not kept. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Results that cannot be used; the message names the file, and the line where it is one. */
export class ResultsUnusable extends Error {
  override name = 'ResultsUnusable';
}

export interface ReadResults {
  readonly results: EvaluationResults;
  /** What a killed process left at the end: it is no whole line, and goes before the next one is written. */
  readonly tornFrom: number | null;
}

/**
 * Reads the lines of a results file. A last line that is not whole is left out and reported; any other line that cannot
 * be used makes the file unusable: nothing is left out in silence. Throws `ResultsUnusable`.
 */
export function readResults(file: string, content: string): ReadResults {
  const texts = content.split('\n');
  const torn = texts.pop() ?? '';
  const lines = texts.map((text, index) => {
    const read = readResultLine(text);
    if (read.kind === 'line') return read.line;
    throw new ResultsUnusable(`${file}:${index + 1}: this line of the results cannot be used: ${read.reason}.`);
  });
  return { results: resultsOf(file, lines), tornFrom: torn === '' ? null : content.length - torn.length };
}

/** Throws `ResultsUnusable` where the first line is no header that this Strata knows. */
export function resultsOf(file: string, lines: readonly ResultLine[]): EvaluationResults {
  const [header, ...rest] = lines;
  if (header?.kind !== 'header') {
    throw new ResultsUnusable(`${file}:1: results begin with what they were made with; this file does not.`);
  }
  if (header.version > resultsVersion) {
    throw new ResultsUnusable(
      `${file}:1: these results are from a newer Strata: version ${header.version}, and this one knows ${resultsVersion}.`,
    );
  }
  const units = new Map<string, UnitLine>();
  const texts = new Map<string, string>();
  for (const line of rest) {
    if (line.kind === 'unit') units.set(unitKey(line), line);
    if (line.kind === 'texts') for (const [key, text] of Object.entries(line.texts)) texts.set(key, text);
  }
  return { header, units: [...units.values()], texts };
}
