import { readFileSync } from 'node:fs';
import { readResults, resultsText } from '../../extension/evaluation/measure/evaluation-results';
import { withoutContexts } from '../../extension/evaluation/run-evaluation';
import type { StudyFindings } from './figures';

/** Results without the texts of the contexts, and a last line with the costs and marks. */
export function findingsText({ results, costs, marks }: StudyFindings): string {
  const units = results.units.map((line) => withoutContexts({ line, texts: new Map() }).line);
  return `${resultsText({ ...results, units, texts: new Map() })}${JSON.stringify({ costs, marks })}\n`;
}

export function readFindings(file: string): StudyFindings {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { costs, marks } = JSON.parse(lines.at(-1) ?? '') as Pick<StudyFindings, 'costs' | 'marks'>;
  const { results } = readResults(file, `${lines.slice(0, -1).join('\n')}\n`);
  return { results, costs, marks };
}
