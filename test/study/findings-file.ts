import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResults, resultsText } from '../../extension/evaluation/measure/evaluation-results';
import { withoutContexts } from '../../extension/evaluation/run-evaluation';
import type { StudyFindings } from './figures';

/** The results are part of the extension, which shows them. */
const resultsFile = join(import.meta.dirname, '../../media/study.jsonl');
const restFile = join(import.meta.dirname, 'recorded/readings.json');

/** Writes the findings without the texts of the contexts. */
export function writeFindings({ results, costs, marks, acts }: StudyFindings): void {
  const units = results.units.map((line) => withoutContexts({ line, texts: new Map() }).line);
  writeFileSync(resultsFile, resultsText({ ...results, units, texts: new Map() }));
  writeFileSync(restFile, `${JSON.stringify({ costs, marks, acts }, null, 1)}\n`);
}

export function readFindings(): StudyFindings {
  const { costs, marks, acts } = JSON.parse(readFileSync(restFile, 'utf8')) as Omit<StudyFindings, 'results'>;
  const { results } = readResults(resultsFile, readFileSync(resultsFile, 'utf8'));
  return { results, costs, marks, acts };
}
