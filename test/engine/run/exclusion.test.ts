import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableText, textOf, toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { excludedEntries } from '../../../extension/engine/journal/excluded';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { planExclusion } from '../../../extension/engine/run/change/exclusion';
import { conversations } from '../../builders/arbitrary';
import { assistant, calls, long, result, talk, user } from '../../builders/conversation';
import { exclude, excluding } from '../../builders/exclusion';
import { compact, contextOf, emptyState } from '../../builders/run';

const talked = talk([
  user('read the loader'),
  calls('a', 'b'),
  result('a', long('Lines of the loader.', 20)),
  result('b', long('Lines of another file.', 20)),
  assistant('Read. The secret word is xylophone.'),
  user('now fix it'),
  calls('c'),
]);

const keys = contextOf(talked).messages.map(({ key }) => key);
const [asked = '', called = '', answered = '', , read = '', live = '', running = ''] = keys;

const outcomeOf = (key: string) => planExclusion(contextOf(talked).messages, key).kind;

describe('taking messages out by hand', () => {
  it('takes a result with the reply that called for it, and with the other results of that reply', async () => {
    const run = await exclude(talked, answered);
    expect(run?.records[0]).toMatchObject({ strategy: 'exclude', summaryType: 'excluded', entryIds: keys.slice(1, 4) });
    expect(textOf(run?.after.messages[1]?.parts ?? [])).toBe('[EXCLUDED]\nTaken out of the context by the user.');
    expect(run?.records).toEqual((await exclude(talked, called))?.records);
  });

  it('takes the whole turn with the message that opens it, and names all that is gone', async () => {
    const run = await exclude(talked, asked);
    expect(run?.records[0]?.entryIds).toEqual(keys.slice(0, 5));
    expect(run?.after.messages.map(({ key }) => key).slice(-2)).toEqual([live, running]);
    expect(run?.records[0]?.loss?.messages).toMatchObject({ whole: 0, gone: 1 });
  });

  it('refuses the live turn’s own message, a call without its result, and what is not there', () => {
    expect([live, running, 'gone'].map(outcomeOf)).toEqual(['in-use', 'in-use', 'not-there']);
  });

  it('refuses the newest result of a live turn, which the model is to answer next', () => {
    const working = talk([user('read it'), assistant('Reading.'), calls('a'), result('a', long('Lines.', 20))]);
    const { messages } = contextOf(working);
    expect(messages.map(({ key }) => planExclusion(messages, key).kind)).toEqual([
      'in-use',
      'excludes',
      'in-use',
      'in-use',
    ]);
  });

  it('assigns a result to the newest call with its id', async () => {
    const again = talk(
      [user('read'), calls('x'), result('x', long('First.', 20)), calls('x', 'y')],
      [result('x', long('Second.', 20)), result('y', long('Third.', 20)), assistant('Read.'), user('next')],
    );
    const ids = contextOf(again).messages.map(({ key }) => key);
    const second = await exclude(again, ids[4] ?? '');
    expect(second?.records[0]?.entryIds).toEqual(ids.slice(3, 6));
    const first = await exclude(again, ids[1] ?? '');
    expect(first?.records[0]?.entryIds).toEqual(ids.slice(1, 3));
  });

  it('never makes an excluded message the original goal', async () => {
    const state = await excluding(talked, asked, emptyState);
    expect(JSON.stringify(contextOf(talked, state))).not.toContain('read the loader');
  });

  it('has no effect after the agent went back over it', async () => {
    const state = await excluding(talked, asked, emptyState);
    const wentBack = { ...talked, agentContext: talked.agentContext.filter(({ id }) => id !== read) };
    expect([...excludedEntries(state, talked)]).toEqual(keys.slice(0, 5));
    expect([...excludedEntries(state, wentBack)]).toEqual([]);
  });

  it('refuses a block, which replaces other entries', async () => {
    const state = foldJournal((await exclude(talked, asked))?.records ?? []);
    const { messages } = contextOf(talked, state);
    expect(planExclusion(messages, messages[0]?.key ?? '').kind).toBe('not-excludable');
  });

  it('never passes excluded messages to a later summary', async () => {
    const old = talk(
      [user('read the loader'), assistant(long('I found the root cause in src/xylophone.ts.', 30)), user('go on')],
      Array.from({ length: 3 }, (_, at) => [
        user(`next step ${at}`),
        assistant(long(`Step ${at} is done in file-${at}.ts.`, 20)),
      ]).flat(),
    );
    const state = await excluding(old, contextOf(old).messages[1]?.key ?? '', emptyState);
    const { after, records } = await compact(old, { strategy: 'naive', state });
    expect(records[0]?.swallowed).toHaveLength(1);
    expect(JSON.stringify(after)).not.toContain('xylophone');
    const without = await compact(old, { strategy: 'naive' });
    expect(JSON.stringify(without.after)).toContain('xylophone');
  });

  it('keeps calls and results together, loses no entry, and is undone byte for byte, whatever is taken out', () =>
    fc.assert(
      fc.asyncProperty(conversations, fc.nat(), async (conversation, at) => {
        const before = contextOf(conversation);
        const run = await exclude(conversation, before.messages[at % before.messages.length]?.key ?? '');
        if (!run || run.records.length === 0) return;
        const parts = run.after.messages.flatMap((message) => message.parts);
        const results = new Set(toolResults(parts).map(({ callId }) => callId));
        const answeredBefore = new Set(
          toolResults(before.messages.flatMap((message) => message.parts)).map(({ callId }) => callId),
        );
        for (const { callId } of toolCalls(parts)) expect(results.has(callId)).toBe(answeredBefore.has(callId));
        const ids = run.after.messages.flatMap((message) => message.entryIds);
        expect([...ids].sort()).toEqual(conversation.agentContext.map(({ id }) => id).sort());
        const undo = { kind: 'undo', seq: 9, time: '', compactions: run.records.map(({ seq }) => seq) } as const;
        expect(contextOf(conversation, foldJournal([...run.records, undo]))).toEqual(before);
      }),
      { numRuns: 150 },
    ));
});

describe('after something was taken out', () => {
  it('lets a checkpoint reach back beyond it', async () => {
    const old = talk(
      Array.from({ length: 6 }, (_, at) => [user(`step ${at}`), assistant(long(`Done ${at}.`, 60))]).flat(),
    );
    const second = contextOf(old).messages[2]?.key ?? '';
    const { plans } = await compact(old, { strategy: 'checkpoint', state: await excluding(old, second, emptyState) });
    const said = plans.flatMap(({ turns }) => turns.flatMap(({ replaced }) => replaced.flatMap(({ parts }) => parts)));
    expect(said.map(readableText).join()).toContain('step 0');
  });
});
