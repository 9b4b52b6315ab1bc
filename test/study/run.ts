import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { figureOf } from './figure';
import type { StudyFindings } from './figures';
import { writeFindings } from './findings-file';
import { judgeActs } from './open-acts';
import { withTables } from './page';
import { playStudy } from './play';
import { Recording } from './recorded-model';
import { readTwice } from './second-reading';
import { tablesOf } from './tables';

const { values } = parseArgs({
  options: { live: { type: 'string' }, read: { type: 'boolean' }, keep: { type: 'boolean' } },
});

const recorded = join(import.meta.dirname, 'recorded');
const recording = new Recording('a language model', join(recorded, 'answers.jsonl'), values.live ?? null);
const { results, costs, acts } = await playStudy(recording, new AbortController().signal);
const isWhole = results.units.length === results.header.units;
const marks = isWhole || values.read ? await readTwice(results, recording) : [];
const judged = isWhole || values.read ? await judgeActs(acts, recording) : [];
const findings: StudyFindings = { results, costs, marks, acts: judged };
report();
if (values.live !== undefined) writeLive(values.live);
if (values.keep) keep();

function report(): void {
  const { missing } = recording;
  for (const [name, table] of Object.entries(tablesOf(findings))) console.log(`\n${name}\n\n${table}`);
  console.log(`\n${results.units.length} of ${results.header.units} units are complete.`);
  if (missing.length === 0) return;
  const tokens = missing.reduce((total, prompt) => total + prompt.tokens, 0);
  const where = values.live === undefined ? '; --live FOLDER writes them there' : ` in ${values.live}`;
  console.log(`${missing.length} prompts to answer${where}, ${tokens} tokens.`);
}

/** Writes the prompts without an answer, and an index of all prompts with the task or reader that each belongs to. */
function writeLive(folder: string): void {
  mkdirSync(folder, { recursive: true });
  recording.writeMissing();
  const index = [...recording.asked.values()].map(({ hash, purpose, about, tokens, answer }) => ({
    ...{ hash, purpose, about, tokens },
    isAnswered: answer !== null,
  }));
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
}

/** Stores the answers and the findings, and updates the page. */
function keep(): void {
  mkdirSync(recorded, { recursive: true });
  recording.keep();
  writeFindings(findings);
  const docs = join(import.meta.dirname, '../../docs');
  writeFileSync(join(docs, 'study', 'held-by-tokens.svg'), figureOf(findings));
  const page = join(docs, 'study.md');
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), tablesOf(findings)));
}
