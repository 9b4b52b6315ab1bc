import { LocalizableError, type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { type HeaderLine, type ResultLine, resultsVersion, type UnitLine, unitKey } from './results';
import { readLine, resultLine } from './results-schema';
import { unitsOf } from './units';

/** The parsed content of a results file. */
export interface EvaluationResults {
  readonly header: HeaderLine;
  /** Without duplicates, in file order. */
  readonly units: readonly UnitLine[];
  /** Message texts by key; empty if the run did not keep the contexts. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Formats a results file: header, texts and units, one line each. */
export function resultsText({ header, units, texts }: EvaluationResults): string {
  const lines: readonly ResultLine[] = [header, { kind: 'texts', texts: Object.fromEntries(texts) }, ...units];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Results that cannot be used. The message names the file and, if one line is the cause, the line. */
export class ResultsUnusable extends LocalizableError {
  override name = 'ResultsUnusable';
}

interface ReadResults {
  readonly results: EvaluationResults;
  /** Offset of an incomplete last line, left by a killed process and to be cut off; null if there is none. */
  readonly tornFrom: number | null;
}

/**
 * Parses a results file. An incomplete last line is left out and reported. Any other bad line throws `ResultsUnusable`:
 * nothing is skipped silently.
 */
export function readResults(file: string, content: string): ReadResults {
  const texts = content.split('\n');
  const torn = texts.pop() ?? '';
  const lines = texts.map((text, index) => {
    const read = readLine(resultLine, text);
    if (read.kind === 'line') return read.line;
    throw new ResultsUnusable(
      localizable('{0}:{1}: this line is not a valid result: {2}.', file, index + 1, read.reason),
    );
  });
  return { results: resultsOf(file, lines), tornFrom: torn === '' ? null : content.length - torn.length };
}

/** Throws `ResultsUnusable` if the first line is not a header of a known version. */
function resultsOf(file: string, lines: readonly ResultLine[]): EvaluationResults {
  const [header, ...rest] = lines;
  if (header?.kind !== 'header') {
    throw new ResultsUnusable(localizable('{0}:1: this is not a results file: it does not begin with a header.', file));
  }
  if (header.version > resultsVersion) {
    throw new ResultsUnusable(
      localizable(
        '{0}:1: these results are from a newer Strata: they have version {1}, and this Strata reads up to {2}.',
        file,
        header.version,
        resultsVersion,
      ),
    );
  }
  const expected = new Set(unitsOf(header.settings).map(unitKey));
  const units = new Map<string, UnitLine>();
  const texts = new Map<string, string>();
  for (const [index, line] of rest.entries()) {
    const refuse = (reason: LocalizableText) =>
      new ResultsUnusable(localizable('{0}:{1}: {2}', file, index + 2, reason));
    if (line.kind === 'header')
      throw refuse(localizable('there is a second header: the file contains the results of several runs.'));
    if (line.kind === 'texts') for (const [key, text] of Object.entries(line.texts)) texts.set(key, text);
    if (line.kind !== 'unit') continue;
    const reason = problemWith(line, header, expected, units);
    if (reason !== null) throw refuse(reason);
    units.set(unitKey(line), line);
  }
  return { header: { ...header, units: expected.size }, units: [...units.values()], texts };
}

/** Why a unit does not belong to this run. A conversation may end before the last compaction that is probed. */
function problemWith(
  unit: UnitLine,
  { settings: { probedAfter } }: HeaderLine,
  expected: ReadonlySet<string>,
  known: ReadonlyMap<string, UnitLine>,
): LocalizableText | null {
  const key = unitKey(unit);
  if (!expected.has(key)) return localizable('the unit "{0}" does not belong to this run.', key);
  const before = known.get(key);
  if (before && unitContent(before) !== unitContent(unit))
    return localizable('the unit "{0}" occurs twice with different results.', key);
  const numbers = unit.boundaries.map(({ compaction }) => compaction);
  const isPrefix = numbers.every((compaction, index) => compaction === probedAfter[index]);
  return isPrefix ? null : localizable('the unit "{0}" was probed after other compactions than the run.', key);
}

/** A unit's content for comparison, without durations, which differ from run to run. */
export function unitContent(unit: UnitLine): string {
  return JSON.stringify(unit, (key, value) => (key === 'durationMs' ? 0 : value));
}
