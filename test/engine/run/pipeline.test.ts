import { describe, expect, it } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { assistant, call, long, result, talk, toolTurn, user } from '../../builders/conversation';
import { compact, contextOf, emptyState } from '../../builders/run';

/** Recent turns that make up the twenty newest messages, which are below the age line. */
const recent = Array.from({ length: 11 }, (_, index) => [user(`Then ${index}.`), assistant(`Yes, ${index}.`)]).flat();

function kinds(messages: readonly { kind: string }[]): string[] {
  return messages.map((message) => message.kind);
}

describe('the pipeline', () => {
  it('replaces the tool calls of an old turn by one block in their place', async () => {
    const conversation = talk(toolTurn('alpha'), recent);
    const { records, after } = await compact(conversation, { strategy: 'tool-calls' });
    expect(records).toHaveLength(1);
    expect(kinds(after.messages).slice(0, 4)).toEqual(['user', 'summary', 'assistant', 'user']);
    expect(textOf(after.messages[1]?.parts ?? [])).toMatch(
      /^\[SUMMARIZED\]\n[\s\S]*## In this turn\nWhat I said last:\n> I look at alpha first./,
    );
    expect(records[0]).toMatchObject({
      summaryType: 'tool_call_batch',
      turnCount: 1,
      entryIds: ['e2', 'e3', 'e4', 'e5'],
    });
  });

  it('leaves a goal batch room for the blocks that it takes, which were made short before', async () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
    const turns = names.map((name) => [
      user(`Please work on ${name}. ${long(`It matters for ${name}.`, 8)}`),
      ...[1, 2, 3].flatMap((at) => [
        call(`${name}${at}`, 'read', { path: `src/${name}-${at}.ts` }, long(`I look at ${name} ${at}.`, 12)),
        result(`${name}${at}`, long(`Lines of ${name}.`, 60)),
      ]),
      assistant(long(`I worked on ${name}.`, 8)),
    ]);
    const { records } = await compact(talk(...turns.flat(), recent));
    const [batch] = records.filter((record) => record.summaryType === 'goal_batch');
    expect(batch?.tokensAfter).toBeGreaterThan((batch?.tokensBefore ?? 0) * 0.25);
  });

  it('says that short turns have no block, and what takes them', async () => {
    const short = Array.from({ length: 40 }, (_, at) => [user(`go on ${at}`), assistant('done')]).flat();
    const { records, notes } = await compact(talk(short));
    expect(records).toEqual([]);
    expect(notes.map(String)).toContain(
      'Goal batch: 30 old turns have no block, and a batch takes only turns that have one. The ladder takes short turns, too.',
    );
  });

  it('makes one goal batch of three old complete turns, and asserts the original goal', async () => {
    const conversation = talk(toolTurn('alpha'), toolTurn('beta'), toolTurn('gamma'), recent);
    const { records, after } = await compact(conversation);
    expect(records.map((record) => record.strategy)).toEqual([...Array(3).fill('tool-calls'), 'goal-batch']);
    expect(kinds(after.messages).slice(0, 3)).toEqual(['core', 'goal_batch', 'user']);
    expect(after.messages[1]?.block?.metadata).toEqual({ summarized: true, summary_type: 'goal_batch', turn_count: 3 });
    expect(textOf(after.messages[0]?.parts ?? [])).toContain('## Original Goal\nPlease work on alpha.');
  });

  it('takes short turns into the batch of the complete turns around them', async () => {
    const short = [user('ok'), user('continue'), assistant('I do.')];
    const turns = [short, toolTurn('alpha'), short, toolTurn('beta'), toolTurn('gamma')];
    const { records } = await compact(talk(turns.flat(), recent));
    const batches = records.filter((record) => record.summaryType === 'goal_batch');
    expect(batches.map(({ turnCount, entryIds }) => [turnCount, entryIds[0]])).toEqual([[7, 'e1']]);
  });

  it('does not take short turns alone, nor over a turn that stays', async () => {
    const stays = [user('Explain.'), assistant(long('I decided it.'))];
    const turns = [toolTurn('alpha'), [user('ok')], stays, [user('ok')], toolTurn('beta'), toolTurn('gamma')];
    const { records, notes } = await compact(talk(turns.flat(), recent), { strategy: 'goal-batch' });
    expect(records).toEqual([]);
    expect(notes.map(String).join()).toContain('old turns have no block');
  });

  it('takes six turns at most into a batch, and no batch of two', async () => {
    const turns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => toolTurn(`module-${name}`));
    const { records } = await compact(talk(turns.flat(), recent));
    const batches = records.filter((record) => record.summaryType === 'goal_batch');
    expect(batches.map((record) => record.turnCount)).toEqual([6]);
  });

  it('does not touch the live turn or a turn that crosses the age line', async () => {
    const conversation = talk(toolTurn('alpha'), toolTurn('beta'));
    const { records, notes } = await compact(conversation, { strategy: 'tool-calls' });
    expect(records).toEqual([]);
    expect(notes.map(String)).toEqual(['Tool calls: all of it is in the current turn or too recent.']);
  });

  it('waits for ten old tool calls, or one that is forty messages old, unless a person asks', async () => {
    const conversation = talk(toolTurn('alpha'), recent);
    const waiting = await compact(conversation, { strategy: 'tool-calls', trigger: 'automatic' });
    expect(waiting.notes.map(String)).toEqual(['Tool calls: Only 2 old tool calls so far.']);
    const older = talk(toolTurn('alpha'), recent, recent);
    expect((await compact(older, { strategy: 'tool-calls', trigger: 'automatic' })).records).toHaveLength(1);
  });

  it('starts the threshold tier at eighty percent of the window, unless a person asks', async () => {
    const conversation = talk(user('Explain.'), assistant(long('I decided it.')), recent);
    const { total } = contextOf(conversation).tokens;
    const at = (contextWindow: number) =>
      compact(conversation, { strategy: 'threshold', trigger: 'automatic', contextWindow });
    expect((await at(Math.ceil(total / 0.79))).records).toEqual([]);
    const { records } = await at(Math.floor(total / 0.81));
    expect(records[0]).toMatchObject({ summaryType: 'conversation', entryIds: ['e2'] });
  });

  it('does not repair a block that was written without a model', async () => {
    const { records } = await compact(talk(toolTurn('alpha'), toolTurn('beta'), toolTurn('gamma'), recent));
    expect(records.length).toBeGreaterThan(0);
    expect(records.flatMap((record) => record.repaired ?? [])).toEqual([]);
  });

  it('gives a run one number, so that it is undone as one', async () => {
    const { records } = await compact(talk(toolTurn('alpha'), toolTurn('beta'), toolTurn('gamma'), recent));
    expect(new Set(records.map((record) => record.run))).toEqual(new Set([0]));
    expect(foldJournal(records).compactions).toHaveLength(4);
  });

  it('says which strategy it does not know', async () => {
    await expect(compact(talk(user('hi')), { strategy: 'nonesuch', state: emptyState })).rejects.toThrow('"nonesuch"');
  });
});
