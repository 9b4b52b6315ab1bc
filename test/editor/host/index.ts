import { writeFileSync } from 'node:fs';
import { failing, outcomeOf, runExamples } from '../suite.ts';
import { suite } from './test.ts';

const TEST_TIMEOUT_MS = 60_000;

/** The bundler includes every test file here, so that none can be forgotten. */
const testFiles = import.meta.glob('./**/*.test.ts');

/**
 * VS Code calls this in the extension host. A rejection means that the tests failed. The tally is written to the file
 * that `STRATA_TEST_REPORT` names, because the host passes on only an exit code.
 */
export async function run(): Promise<void> {
  const tally = await runExamples(await loadExamples(), (example) => outcomeOf(example.show, TEST_TIMEOUT_MS));
  const report = process.env.STRATA_TEST_REPORT;
  if (report !== undefined) writeFileSync(report, JSON.stringify(tally));
  if (tally.failed > 0) throw new Error(`${tally.failed} of the in-host tests failed.`);
}

async function loadExamples() {
  const files = Object.entries(testFiles);
  if (files.length === 0) return [failing<void>('there are in-host tests', new Error('No *.test.ts was found.'))];
  const examples = [];
  for (const [file, load] of files) examples.push(...(await suite.examplesOf(file, load)));
  return examples;
}
