import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { planUndo } from '../../../extension/engine/journal/undo';
import type { PreparedRun } from '../../../extension/engine/run/prepare/prepared-run';
import { strategyChoices } from '../../../extension/engine/run/prepare/registry';
import type { LocalizableText } from '../../../extension/engine/wording/localizable-text';
import {
  agentSummary,
  assistant,
  call,
  long,
  result,
  type Said,
  system,
  talk,
  user,
} from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

/** Tests that the default strategy ends at its target, whatever the shape of the session. */

const steps = (count: number, size: number): Said[] =>
  Array.from({ length: count }, (_, index) => [
    call(
      `c${index}`,
      index % 3 === 0 ? 'bash' : 'read',
      { path: `src/part-${index}.ts` },
      `Step ${index}: I look at part ${index}.`,
    ),
    result(`c${index}`, long(`Part ${index}.`, size)),
  ]).flat();

const turnsOfTwoWords = (count: number): Conversation =>
  talk(...Array.from({ length: count }, (_, index) => [user(`go ${index}`), assistant('done it')]).flat());

const shapes: Readonly<Record<string, () => Conversation>> = {
  'one prompt and 1,000 steps': () => talk(system('You are an agent.'), user('Port the parser.'), ...steps(1000, 6)),
  'one prompt and steps that say nothing': () =>
    talk(
      user('Port the parser.'),
      ...Array.from({ length: 400 }, (_, index) => [call(`c${index}`), result(`c${index}`, 'ok')]).flat(),
    ),
  'one huge turn that has just ended': () =>
    talk(
      user('Port the parser.'),
      ...steps(300, 10),
      assistant('All parts are ported.'),
      user('Thanks. And the docs?'),
    ),
  'huge single results': () =>
    talk(
      user('Read the logs.'),
      ...Array.from({ length: 12 }, (_, index) => [
        call(`c${index}`),
        result(`c${index}`, long(`Log ${index}.`, 900)),
      ]).flat(),
      ...steps(3, 2),
    ),
  'parallel calls': () =>
    talk(
      user('Look at everything.'),
      ...Array.from({ length: 60 }, (_, index) => {
        const ids = ['a', 'b', 'c', 'd'].map((name) => `${name}${index}`);
        const all = ids.map(
          (callId) => ({ type: 'tool_call', callId, name: 'read', input: { path: callId } }) as const,
        );
        return [{ role: 'assistant', parts: all } as Said, ...ids.toReversed().map((id) => result(id, long(id, 4)))];
      }).flat(),
    ),
  'an agent’s own summary and one live turn': () =>
    talk(agentSummary(long('What was done before.', 500)), user('Go on.'), ...steps(120, 8)),
  'long prose without tools': () =>
    talk(
      ...Array.from({ length: 80 }, (_, index) => [
        user(`Question ${index}?`),
        assistant(long(`Answer ${index}.`, 30)),
      ]).flat(),
    ),
};

const windows = [16_000, 60_000];

for (const [shape, make] of Object.entries({
  ...shapes,
  '10,000 turns of two words': () => turnsOfTwoWords(10_000),
})) {
  describe(shape, () => {
    const conversation = make();
    for (const contextWindow of windows) {
      it(`fits half of a window of ${contextWindow} tokens`, async () => {
        const run = await ladder(conversation, contextWindow);
        expect(run.notes.filter(saysMissed)).toEqual([]);
        expect(run.after.tokens.total).toBeLessThanOrEqual(contextWindow / 2);
        expectSound(conversation, run);
      });
    }
  });
}

/** Strategies that keep a tail. They cut before a user message, and between steps only if that is not enough. */
const tailStrategies = strategyChoices().filter(({ steps: [first, ...others] }) => first?.room && others.length === 0);

describe.each(tailStrategies.map(({ name }) => name))('%s', (strategy) => {
  for (const [shape, make] of Object.entries({
    ...shapes,
    '2,000 turns of two words': () => turnsOfTwoWords(2_000),
  })) {
    it(`brings ${shape} to half of a window of 16,000 tokens`, async () => {
      const conversation = make();
      const run = await compact(conversation, { strategy, parameters: {}, contextWindow: 16_000 });
      expect(run.notes.filter(saysMissed)).toEqual([]);
      expect(run.after.tokens.total).toBeLessThanOrEqual(8000);
      expectSound(conversation, run);
      expectCutOnlyWhereNeeded(run);
    });
  }

  it('cuts one prompt with 150 large steps between steps, and says so', async () => {
    const conversation = talk(system('You are an agent.'), user('Port the parser.'), ...steps(150, 130));
    const run = await compact(conversation, { strategy, parameters: {} });
    expect(run.before.tokens.total).toBeGreaterThan(200_000);
    expect(run.after.tokens.total).toBeLessThan(100_000);
    expect(run.notes.some((note) => String(note).includes('Takes old steps of a long turn too'))).toBe(true);
    expect(run.after.messages.filter(({ kind }) => kind === 'user')).toHaveLength(1);
    expectSound(conversation, run);
  });

  it('leaves the live turn whole if a cut before its prompt is enough', async () => {
    const turns = Array.from({ length: 9 }, (_, at) => [user(`Do part ${at}.`), ...steps(10, 130), assistant('Done.')]);
    const live = [user('And now?'), ...steps(2, 60)];
    const conversation = talk(turns.flat(), live);
    const run = await compact(conversation, { strategy, parameters: {} });
    expect(run.before.tokens.total).toBeGreaterThan(100_000);
    expect(run.records.length).toBeGreaterThan(0);
    expect(run.after.messages.slice(-live.length)).toEqual(run.before.messages.slice(-live.length));
    expect(run.notes.some((note) => String(note).includes('Cut between steps'))).toBe(false);
  });

  it('names a prompt that alone is larger than the target', async () => {
    const conversation = talk(user(long('Port this file.', 800)), ...steps(20, 8));
    const { after, notes } = await compact(conversation, { strategy, parameters: {}, contextWindow: 16_000 });
    expect(after.tokens.total).toBeGreaterThan(8000);
    expect(String(notes.find(saysMissed))).toMatch(
      /What no compaction touches: your newest prompt \(\d+,\d{3}\), the newest step \(\d+\)\.$/,
    );
  });

  it('starts by itself in one turn that fills the window', async () => {
    const conversation = talk(user('Port the parser.'), ...steps(150, 130));
    const { records, after } = await compact(conversation, { strategy, parameters: {}, trigger: 'automatic' });
    expect(records.length).toBeGreaterThan(0);
    expect(after.tokens.total).toBeLessThan(100_000);
  });
});

/** Asserts that without the block over steps the context would be larger than the target. */
function expectCutOnlyWhereNeeded({ plans, records, before, after }: PreparedRun): void {
  for (const [index, { tier }] of plans.entries()) {
    const record = records[index];
    if (tier !== 'steps' || !record) continue;
    const { total, byKind } = before.tokens;
    const target = Math.min(8000, (total + byKind.system + byKind.core) / 2);
    expect(after.tokens.total + record.tokensBefore - record.tokensAfter).toBeGreaterThan(target);
  }
}

function saysMissed(note: LocalizableText): boolean {
  return String(note).includes('and the target is');
}

const randomSteps = fc.array(
  fc.record({
    calls: fc.integer({ min: 1, max: 3 }),
    size: fc.constantFrom(0, 1, 5, 40, 400),
    asksAgain: fc.boolean(),
    isError: fc.boolean(),
    opensTurn: fc.boolean(),
  }),
  { minLength: 1, maxLength: 120 },
);

describe('random sessions', () => {
  it('random sessions end at the target, or the run names what alone is larger', () =>
    fc.assert(
      fc.asyncProperty(randomSteps, fc.constantFrom(3000, 16_000, 100_000), async (said, contextWindow) => {
        const conversation = talk(user('Begin.'), ...said.flatMap(randomStep));
        const run = await ladder(conversation, contextWindow, contextWindow / 2);
        const missed = run.notes.some(saysMissed);
        expect(missed).toBe(run.after.tokens.total > contextWindow / 2);
        if (missed) expect(run.after.tokens.total).toBeLessThan(untouched(conversation) + 2500);
        expectSound(conversation, run);
      }),
      { numRuns: 60 },
    ));

  it('random sessions end at the target through every strategy that cuts a tail, or the run says why not', () =>
    fc.assert(
      fc.asyncProperty(
        randomSteps,
        fc.constantFrom(3000, 16_000, 100_000),
        fc.constantFrom(...tailStrategies.map(({ name }) => name)),
        async (said, contextWindow, strategy) => {
          const conversation = talk(user('Begin.'), ...said.flatMap(randomStep));
          const run = await compact(conversation, { strategy, parameters: {}, contextWindow });
          expect(run.notes.some(saysMissed)).toBe(run.after.tokens.total > contextWindow / 2);
          expectSound(conversation, run);
        },
      ),
      { numRuns: 100 },
    ));
});

function randomStep(
  {
    calls,
    size,
    asksAgain,
    isError,
    opensTurn,
  }: { calls: number; size: number; asksAgain: boolean; isError: boolean; opensTurn: boolean },
  index: number,
): Said[] {
  const ids = Array.from({ length: calls }, (_, at) => `s${index}-${at}`);
  const path = asksAgain ? 'src/again.ts' : `src/${index}.ts`;
  const parts = ids.map((callId) => ({ type: 'tool_call', callId, name: 'read', input: { path } }) as const);
  const answered = ids.map((id) => result(id, long(`Of ${id}.`, size), isError));
  return [
    ...(opensTurn ? [assistant('Done.'), user(`And now ${index}?`)] : []),
    { role: 'assistant', parts },
    ...answered,
  ];
}

function ladder(conversation: Conversation, contextWindow: number, targetTokens?: number): Promise<PreparedRun> {
  return compact(conversation, {
    ...{ strategy: 'ladder', parameters: {}, contextWindow },
    ...(targetTokens === undefined ? {} : { targetTokens }),
  });
}

/** Counted tokens of the live prompt and the newest step. */
function untouched(conversation: Conversation): number {
  const { messages } = contextOf(conversation);
  const prompt = messages.findLastIndex(({ kind }) => kind === 'user');
  const newest = messages.findLastIndex(({ parts }) => toolCalls(parts).length > 0);
  return messages
    .filter((_, index) => index === prompt || index >= newest)
    .reduce((total, { tokens }) => total + tokens, 0);
}

function expectSound(conversation: Conversation, { before, after, records }: PreparedRun): void {
  const called = after.messages.flatMap(({ parts }) => toolCalls(parts).map(({ callId }) => callId));
  const answered = after.messages.flatMap(({ parts }) => toolResults(parts).map(({ callId }) => callId));
  expect(answered.sort()).toEqual(called.sort());
  const ids = after.messages.flatMap(({ entryIds }) => entryIds);
  expect(ids.sort()).toEqual(conversation.agentContext.map(({ id }) => id).sort());
  const prompt = before.messages.findLast(({ kind }) => kind === 'user');
  expect(after.messages).toContain(prompt);
  const state = foldJournal(records);
  if (records.length === 0) return;
  const undo = planUndo(state);
  if (undo.kind !== 'undoes') throw new Error(undo.kind);
  const undone = foldJournal(
    [{ kind: 'undo', seq: state.lastSeq + 1, time: '', compactions: [...undo.asked, ...undo.alsoUndone] }],
    state,
  );
  expect(JSON.stringify(contextOf(conversation, undone))).toBe(JSON.stringify(before));
}

describe('two previews in a row', () => {
  it('two previews in a row do not share the replacement texts of a result, although their blocks have the same number', async () => {
    const again = Array.from({ length: 8 }, (_, at) => [
      call(`a${at}`, 'read', { path: 'src/again.ts' }),
      result(`a${at}`, long(`Reading ${at}.`)),
    ]).flat();
    const conversation = talk(user('Look.'), ...again, ...steps(8, 2));
    const texts = async (strategy: string) => {
      const options = { strategy, parameters: { cleared: { clearAtLeast: 0, keepTokens: 0 } } };
      const { after } = await compact(conversation, options);
      return after.messages.flatMap(({ parts }) => toolResults(parts).map(({ text }) => text));
    };
    expect((await texts('superseded')).some((text) => text.startsWith('[SUPERSEDED]'))).toBe(true);
    const cleared = await texts('cleared');
    expect(cleared.some((text) => text.startsWith('[CLEARED]'))).toBe(true);
    expect(cleared.some((text) => text.startsWith('[SUPERSEDED]'))).toBe(false);
  });
});
