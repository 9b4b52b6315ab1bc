import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resultsText } from '../../extension/evaluation/measure/evaluation-results';
import { playStudy } from './play';
import { Recording } from './recorded-model';

const { values } = parseArgs({ options: { live: { type: 'string' } } });

const recorded = join(import.meta.dirname, 'recorded', 'answers');
const recording = new Recording('a language model', values.live === undefined ? [recorded] : [recorded, values.live]);
const results = await playStudy(recording, new AbortController().signal);
const { missing } = recording;
if (missing.length > 0) {
  const tokens = missing.reduce((total, prompt) => total + prompt.tokens, 0);
  console.log(`${results.units.length} of ${results.header.units} units are complete.`);
  console.log(`${missing.length} prompts to answer in ${values.live ?? recorded}, ${tokens} tokens.`);
}
if (values.live !== undefined) {
  recording.writeMissing();
  mkdirSync(values.live, { recursive: true });
  const index = [...recording.asked.values()].map(({ hash, purpose, task, tokens, answer }) => ({
    ...{ hash, purpose, task, tokens },
    isAnswered: answer !== null,
  }));
  writeFileSync(join(values.live, 'index.json'), JSON.stringify(index));
  writeFileSync(join(values.live, 'results.jsonl'), resultsText(results));
}
