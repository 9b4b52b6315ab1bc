import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { judgeActs, type OpenAct } from './open-acts';
import { Recording } from './recorded-model';

const root = mkdtempSync(join(tmpdir(), 'strata-study-'));
afterAll(() => rmSync(root, { recursive: true }));

const task = { task: 'conference-planning', seed: 1, turns: 20 };
const request = 'Where could the speakers sleep?';
const acts: readonly OpenAct[] = [
  { ...task, contender: 'one', request, said: 'I ask two family-run hotels.' },
  { ...task, contender: 'two', request, said: 'I book the Meridia house.' },
  { ...task, contender: 'three', request, said: 'I ask two family-run hotels.' },
];

it('two readers judge acts, who see what holds, each different act once, and no contender', async () => {
  expect(await judgeActs(acts, new Recording('m', join(root, 'none'), root))).toEqual([[], []]);
  const first = new Recording('m', join(root, 'none'), root);
  await judgeActs(acts, first);
  first.writeMissing();
  const prompts = readdirSync(root).filter((name) => name.endsWith('.prompt.txt'));
  for (const name of prompts) {
    const text = readFileSync(join(root, name), 'utf8');
    expect(text).toContain('Rules in force');
    expect(text.match(/family-run hotels/g)).toHaveLength(1);
    expect(text).not.toMatch(/contender|\btwo\b.*:/);
    const booked = /(1\.\d) I book/.exec(text)?.[1] ?? '';
    const other = booked === '1.1' ? '1.2' : '1.1';
    writeFileSync(
      join(root, name.replace('prompt', 'answer')),
      JSON.stringify({ [booked]: 'breaks', [other]: 'right' }),
    );
  }
  const judged = await judgeActs(acts, new Recording('m', join(root, 'none'), root));
  for (const reader of judged)
    expect(reader.map(({ contender, verdict }) => [contender, verdict])).toEqual([
      ['one', 'right'],
      ['two', 'breaks'],
      ['three', 'right'],
    ]);
});
