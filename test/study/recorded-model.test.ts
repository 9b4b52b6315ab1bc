import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AnswerMissing, Recording } from './recorded-model';

const root = mkdtempSync(join(tmpdir(), 'strata-study-'));
afterAll(() => rmSync(root, { recursive: true }));

const prompt = { system: 'You are brief.', user: 'What is the goal?' };
const options = { maxTokens: 100, signal: new AbortController().signal };

describe('recorded answers', () => {
  it('are asked for once, and replayed without the folder they were written to', async () => {
    const live = join(root, 'live');
    const file = join(root, 'answers.jsonl');
    const first = new Recording('m', file, live);
    await expect(first.modelFor('write', 'one').complete(prompt, options)).rejects.toThrow(AnswerMissing);
    await expect(first.modelFor('write', 'two').complete(prompt, options)).rejects.toThrow(AnswerMissing);
    expect(first.missing).toHaveLength(1);
    first.writeMissing();
    const [name = ''] = readdirSync(live);
    expect(readFileSync(join(live, name), 'utf8')).toBe('You are brief.\n\nWhat is the goal?\n');

    writeFileSync(join(live, name.replace('prompt', 'answer')), 'A ramp.');
    const second = new Recording('m', file, live);
    expect(await second.modelFor('write', 'one').complete(prompt, options)).toMatchObject({ text: 'A ramp.' });
    second.keep();
    const third = new Recording('m', file, null);
    expect(await third.modelFor('write', 'one').complete(prompt, options)).toMatchObject({ text: 'A ramp.' });
  });

  it('that are missing for questions are reported, and the play continues', async () => {
    const recording = new Recording('m', join(root, 'none.jsonl'), null);
    let missing = 0;
    const model = recording.modelFor('answer', 'one', () => {
      missing += 1;
    });
    expect(await model.complete(prompt, options)).toMatchObject({ text: '{}' });
    expect(missing).toBe(1);
  });
});
