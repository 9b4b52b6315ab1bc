import { type HeaderLine, type ResultLine, resultsVersion, type UnitLine, unitKey } from './results';
import { readResultLine } from './results-schema';
import { unitsOf } from './units';

/** Results as they were read. */
export interface EvaluationResults {
  readonly header: HeaderLine;
  /** Each once, in the order of the file. */
  readonly units: readonly UnitLine[];
  /** Of the contexts, by their keys; empty where the contexts were not kept. */
  readonly texts: ReadonlyMap<string, string>;
}

/** As a results file: the header, the texts of the contexts, the units, a line each. */
export function resultsText({ header, units, texts }: EvaluationResults): string {
  const lines: readonly ResultLine[] = [header, { kind: 'texts', texts: Object.fromEntries(texts) }, ...units];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
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
  const expected = new Set(unitsOf(header.settings).map(unitKey));
  const units = new Map<string, UnitLine>();
  const texts = new Map<string, string>();
  for (const [index, line] of rest.entries()) {
    const refuse = (reason: string) => new ResultsUnusable(`${file}:${index + 2}: ${reason}`);
    if (line.kind === 'header') throw refuse('there is a second header: these are several results in one file.');
    if (line.kind === 'texts') for (const [key, text] of Object.entries(line.texts)) texts.set(key, text);
    if (line.kind !== 'unit') continue;
    const reason = problemWith(line, header, expected, units);
    if (reason !== null) throw refuse(reason);
    units.set(unitKey(line), line);
  }
  return { header: { ...header, units: expected.size }, units: [...units.values()], texts };
}

/** Why a unit is none of this run. A conversation can end before the last compaction that was to be probed. */
function problemWith(
  unit: UnitLine,
  { settings: { probedAfter } }: HeaderLine,
  expected: ReadonlySet<string>,
  known: ReadonlyMap<string, UnitLine>,
): string | null {
  const key = unitKey(unit);
  if (!expected.has(key)) return `the unit "${key}" is none of this run.`;
  const before = known.get(key);
  if (before && toldBy(before) !== toldBy(unit)) return `the unit "${key}" is there twice, and told differently.`;
  const numbers = unit.boundaries.map(({ compaction }) => compaction);
  const isPrefix = numbers.every((compaction, index) => compaction === probedAfter[index]);
  return isPrefix ? null : `the unit "${key}" was probed after other compactions than the run.`;
}

/** What a unit tells; how long it took differs from one time to the next. */
export function toldBy(unit: UnitLine): string {
  return JSON.stringify(unit, (key, value) => (key === 'durationMs' ? 0 : value));
}
