import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailed } from '../../../extension/engine/block/language-model';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal, type JournalState } from '../../../extension/engine/journal/journal-state';
import { compactHistory } from '../../../extension/engine/policies/compact-history';
import { BrokenPolicy } from '../../../extension/engine/policies/policy';
import { policyStrategy } from '../../../extension/engine/policies/policy-strategy';
import { slidingWindowPolicy } from '../../../extension/engine/policies/sliding-window';
import type { PreparedRun } from '../../../extension/engine/run/prepare/prepared-run';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { assistant, call, long, result, type Said, talk, user } from '../../builders/conversation';
import { compact, emptyState } from '../../builders/run';
import { numbered } from './history';

/** A turn of three history entries: the prompt, a read, and the answer. */
function readTurn(name: string): Said[] {
  return [
    user(`Look at ${name}.`),
    call(name, 'read', { path: `src/${name}.ts` }),
    result(name, long(`The file of ${name}.`)),
    assistant(`I saw ${name}.`),
  ];
}

function turns(...names: string[]): Conversation {
  return talk(names.flatMap(readTurn));
}

function bodies({ records }: PreparedRun): string[] {
  return records.map(({ text }) => text.replace('[SUMMARIZED]\n', ''));
}

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

describe('policy over a context', () => {
  it('replaces whole turns only: a turn across the window boundary stays', async () => {
    const { records, after } = await compact(turns(...names), { strategy: 'sliding-window' });
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      strategy: 'sliding-window',
      summaryType: 'sliding_window',
      turnCount: 3,
      entriesSummarized: 9,
      text: '[SUMMARIZED]\n[9 earlier entries discarded]',
    });
    expect(after.messages.find(({ block }) => block)?.block?.metadata).toEqual({
      summarized: true,
      summary_type: 'sliding_window',
      turn_count: 3,
      entries_summarized: 9,
    });
    expect(after.messages.slice(-8).map(({ key }) => key)).toEqual([
      'e13',
      'e14',
      'e15',
      'e16',
      'e17',
      'e18',
      'e19',
      'e20',
    ]);
  });

  it('leaves a visible line if the policy writes no text', async () => {
    const parameters = { 'sliding-window': { window_size: 5, include_summary_marker: false } };
    const run = await compact(turns(...names), { strategy: 'sliding-window', parameters });
    expect(bodies(run)).toEqual(['[earlier turns discarded]']);
  });

  it('takes in its earlier block with the next turns, and counts everything gone', async () => {
    const first = await compact(turns(...names), { strategy: 'sliding-window' });
    const state = foldJournal(first.records);
    const run = await compact(turns(...names, 'zeta', 'eta'), { strategy: 'sliding-window', state });
    expect(run.records[0]).toMatchObject({ swallowed: [0], entriesSummarized: 15 });
    expect(bodies(run)).toEqual(['[15 earlier entries discarded]']);
  });

  it('does not summarise its own blocks again without new turns', async () => {
    const { records } = await compact(turns(...names), { strategy: 'sliding-window' });
    const again = await compact(turns(...names), { strategy: 'sliding-window', state: foldJournal(records) });
    expect(again.records).toEqual([]);
    expect(String(again.notes[0])).toBe('Sliding window: all of it is in the current turn or too recent.');
  });

  it('starts by itself at the policy’s length, and by hand earlier', async () => {
    const run = (trigger: 'automatic' | 'manual', ...asked: string[]) =>
      compact(turns(...asked), { strategy: 'deterministic', trigger });
    const waiting = await run('automatic', 'alpha', 'beta');
    expect(waiting.notes.map(String)).toEqual([
      'Deterministic: 6 history entries are too few for Deterministic to start by itself.',
    ]);
    expect((await run('automatic', 'alpha', 'beta', 'gamma')).records).toHaveLength(1);
    expect((await run('manual', 'alpha', 'beta')).records).toHaveLength(1);
  });

  it('never touches the live turn, however long it is', async () => {
    const steps = Array.from({ length: 9 }, (_, index) => [call(`c${index}`), result(`c${index}`, long('Lines.'))]);
    const { records, notes } = await compact(talk(user('Do it all.'), steps.flat()), { strategy: 'hierarchical' });
    expect(records).toEqual([]);
    expect(notes.map(String)).toEqual(['Hierarchical: all of it is in the current turn or too recent.']);
  });

  it('keeps enough of the newest turns for the floor of the context', async () => {
    const run = (floorTokens: number) => compact(turns(...names), { strategy: 'sliding-window', floorTokens });
    const turn = (await run(0)).before.tokens.total / names.length;
    expect((await run(turn)).records[0]?.turnCount).toBe(3);
    expect((await run(2.5 * turn)).records[0]?.turnCount).toBe(2);
  });

  it('makes no block that would not be smaller', async () => {
    const small = Array.from({ length: 8 }, (_, index) => [user(`Then ${index}.`), assistant('Yes.')]).flat();
    const { notes } = await compact(talk(small), { strategy: 'sliding-window' });
    expect(String(notes[0])).toBe('Sliding window: a summary would not be shorter than the present text.');
  });

  it('writes the deterministic summary of exactly the replaced turns', async () => {
    const run = await compact(turns('alpha', 'beta', 'gamma'), { strategy: 'deterministic' });
    expect(bodies(run)[0]).toMatch(
      /^Previous 6 steps: user\(2\), read\(2\), reply\(2\) \| Key outputs: The file of alpha\..*\.\.\.; I saw alpha\.; The file of beta\..*\.\.\.$/,
    );
    expect(run.records[0]?.entriesSummarized).toBe(6);
  });
});

describe('the note about a maximum that a policy misses', () => {
  const note = (left: number, going: number) =>
    `Sliding window: ${left} history entries are left, more than its parameters allow. ${going} of them would go, but only whole turns that make a smaller block are replaced, and never the live one.`;

  it('says how many entries rounding to whole turns leaves over the window', async () => {
    const { records, notes } = await compact(turns(...names), { strategy: 'sliding-window' });
    expect(records).toHaveLength(1);
    expect(notes.map(String)).toEqual([note(7, 1)]);
  });

  it('counts the steps of the live turn', async () => {
    const steps = Array.from({ length: 20 }, (_, index) => [call(`c${index}`), result(`c${index}`, long('Lines.'))]);
    const { notes } = await compact(talk(user('Do it all.'), steps.flat()), { strategy: 'sliding-window' });
    expect(notes.map(String)).toContain(note(21, 16));
  });

  it('notes no missed maximum if the turns end at the window, or below the maximum', async () => {
    const parameters = { 'sliding-window': { window_size: 6 } };
    expect((await compact(turns(...names), { strategy: 'sliding-window', parameters })).notes.map(String)).toEqual([]);
    expect((await compact(turns(...names), { strategy: 'deterministic' })).notes.map(String)).toEqual([]);
  });

  it('notes no missed maximum before an automatic run is due', async () => {
    const { notes } = await compact(turns('alpha'), { strategy: 'sliding-window', trigger: 'automatic' });
    expect(notes.map(String)).toEqual([
      'Sliding window: 3 history entries are too few for Sliding window to start by itself.',
    ]);
  });
});

describe('hierarchical policy over a context', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'];

  it('makes a block for each tier; a turn in two tiers goes to the newer one', async () => {
    const run = await compact(turns(...all.slice(0, 5)), { strategy: 'hierarchical' });
    expect(run.records.map(({ tier, entriesSummarized }) => [tier, entriesSummarized])).toEqual([
      ['old', 6],
      ['medium', 6],
    ]);
    const [old, medium] = bodies(run);
    expect(old).toBe('[6 steps: user, read, reply]');
    expect(medium).toMatch(
      /^user: Look at c\. \| read: The file of c\..*\.\.\. \| reply: I saw c\. \| user: Look at d\./,
    );
  });

  it('carries the last three historical summaries from block to block', async () => {
    let state: JournalState = emptyState;
    const oldTexts: (string | undefined)[] = [];
    for (const count of [4, 7, 10, 13, 16]) {
      const run = await compact(turns(...all.slice(0, count)), { strategy: 'hierarchical', state });
      state = foldJournal(run.records, state);
      oldTexts.push(bodies(run)[run.records.findIndex(({ tier }) => tier === 'old')]);
    }
    const line = (count: number) => `[${count} steps: user, read, reply]`;
    expect(oldTexts).toEqual([
      line(3),
      `${line(9)}\n${line(3)}`,
      `${line(9)}\n${line(3)} | ${line(9)}`,
      `${line(9)}\n${line(3)} | ${line(9)} | ${line(9)}`,
      `${line(9)}\n${line(9)} | ${line(9)} | ${line(9)}`,
    ]);
    const newest = state.compactions.filter(({ record }) => record.tier === 'old').at(-1);
    expect(newest?.record.entriesSummarized).toBe(39);
  });

  it('reduces old medium blocks to their actions', async () => {
    let state: JournalState = emptyState;
    for (const count of [4, 6, 8, 10]) {
      const run = await compact(turns(...all.slice(0, count)), { strategy: 'hierarchical', state });
      state = foldJournal(run.records, state);
    }
    const old = state.compactions.filter(({ record }) => record.tier === 'old').at(-1)?.record;
    expect(old?.text).toBe('[SUMMARIZED]\n[18 steps: user, read, reply]\n[3 steps: user, read, reply]');
    expect(old?.swallowed).toHaveLength(4);
  });
});

describe('llm policy over a context', () => {
  const answering: LanguageModel = {
    name: 'scripted',
    model: 'scripted-1',
    concurrency: 1,
    complete: async () => ({ text: 'I read alpha and beta.', tokens: { input: 900, output: 7 }, isCut: false }),
  };
  const embedder = { name: 'none', embed: () => Promise.reject(new Error('not needed')) };
  const withModel = (model: LanguageModel | null) =>
    compact(turns('alpha', 'beta', 'gamma'), {
      strategy: 'llm',
      tools: { summarizer: transparentSummarizer, model, embedder },
    });

  it('records the model that wrote the block, and its cost', async () => {
    const { records } = await withModel(answering);
    expect(records[0]).toMatchObject({
      text: '[SUMMARIZED]\nI read alpha and beta.',
      summarizer: { name: 'llm', model: 'scripted-1' },
      tokensSpent: { input: 900, output: 7 },
      promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('counts without a model, and records none', async () => {
    const { records } = await withModel(null);
    expect(records[0]).toMatchObject({ summarizer: { name: 'llm', model: null }, promptHash: null });
    expect(records[0]?.text).toMatch(/^\[SUMMARIZED\]\nPrevious 6 steps: /);
  });

  it('leaves the context unchanged if the model fails, and passes on the reason', async () => {
    const complete = () => Promise.reject(new ModelFailed('timeout', 'no answer within 60 s'));
    const { records, failures, before, after } = await withModel({ ...answering, complete });
    expect([records, failures.map(String)]).toEqual([[], ['no answer within 60 s']]);
    expect(after).toEqual(before);
  });
});

describe('policy that violates its contract', () => {
  const broken = (changes: object) => ({ ...slidingWindowPolicy, name: 'broken', ...changes });

  it('refuses a policy whose name is invalid or the type of other blocks', () => {
    for (const name of ['Sliding Window', 'a-b', '', 'conversation', 'tool_call_batch', 'goal_batch', 'pruned'])
      expect(() => policyStrategy(broken({ name })), name).toThrow(BrokenPolicy);
  });

  it('names a policy that does not decide on every entry', async () => {
    for (const tiers of [() => ['stays'], () => 'all', () => undefined, () => numbered(6)])
      await expect(compactHistory(broken({ tiers }), numbered(6))).rejects.toThrow('"broken"');
  });

  it('names a policy whose summary is not a text', async () => {
    await expect(compactHistory(broken({ summarize: () => 42 }), numbered(6))).rejects.toThrow(BrokenPolicy);
  });
});
