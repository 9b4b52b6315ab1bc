import { describe, expect, it } from 'vitest';
import { type Entry, textOf } from '../../../extension/engine/conversation/entry';
import { modelSummarizer } from '../../../extension/summarizers/model/model-summarizer';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { assistant, call, long, result, type Said, system, talk, toolTurn, user } from '../../builders/conversation';
import { compact, wordEmbedder } from '../../builders/run';
import { obedient, scriptedSummaries } from '../../builders/scripted-summaries';

/* Tests of faults that people report in the compactions of their agents, with the default strategy. */

const turns = (count: number) => Array.from({ length: count }, (_, at) => toolTurn(`part-${at}`)).flat();
const ladder = { strategy: 'ladder', parameters: {} } as const;

const textAfter = async (said: readonly (Said | readonly Said[])[], targetTokens: number) => {
  const run = await compact(talk(...said), { ...ladder, targetTokens });
  return { run, text: run.after.messages.map(({ parts }) => textOf(parts)).join('\n\n') };
};

describe('what people report of compactions', () => {
  it('does not resume finished work: the newest request is last, and a reply follows the one before', async () => {
    const { run, text } = await textAfter(
      [
        turns(8),
        user('Do the first task.'),
        assistant('The first task is done.'),
        user('Do the second task.'),
        call('x'),
      ],
      400,
    );
    expect(run.records.length).toBeGreaterThan(0);
    expect(text.lastIndexOf('Do the second task.')).toBeGreaterThan(text.lastIndexOf('The first task is done.'));
    expect(text.lastIndexOf('Do the second task.')).toBeGreaterThan(text.lastIndexOf('Do the first task.'));
  });

  it('never makes a context larger, also for a conversation of few words', async () => {
    for (const said of [[user('hi'), assistant('Hello.'), user('and?')], turns(1), turns(3)]) {
      const run = await compact(talk(said), { ...ladder, targetTokens: 1 });
      expect(run.after.tokens.total).toBeLessThanOrEqual(run.before.tokens.total);
    }
  });

  it('pictures of old turns go, with their tokens', async () => {
    const picture = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(40_000) } as const;
    const pictured = (text: string): Said => ({
      ...user(text),
      parts: [{ type: 'text', text }, picture] as Entry['parts'],
    });
    const said = Array.from({ length: 10 }, (_, at) => [pictured(`Look at ${at}.`), assistant(`I saw ${at}.`)]);
    const run = await compact(talk(...said, user('And now?')), { ...ladder, targetTokens: 4000 });
    const images = (messages: typeof run.after.messages) =>
      messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'image')).length;
    expect(images(run.before.messages)).toBe(10);
    expect(run.after.tokens.total).toBeLessThanOrEqual(4000);
    expect(images(run.after.messages)).toBeLessThan(10);
  });

  it('reasoning goes or stays as a whole, with its signature', async () => {
    const reasoning = { type: 'reasoning', text: long('I think.', 5), signature: 'signed' } as const;
    const thinking = (at: number): Said => {
      const asked = call(`t${at}`);
      return { ...asked, parts: [reasoning, ...asked.parts] as Entry['parts'] };
    };
    const steps = Array.from({ length: 12 }, (_, at) => [thinking(at), result(`t${at}`, long('It is so.', 10))]).flat();
    const run = await compact(talk(user('Go on.'), steps), { ...ladder, targetTokens: 1500 });
    const left = run.after.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'reasoning'));
    expect(run.records.length).toBeGreaterThan(0);
    for (const part of left) expect(part).toEqual(reasoning);
  });

  it('a context that is larger than what its own model takes is compacted all the same', async () => {
    const { model, asked } = scriptedSummaries(obedient);
    const summarizer = modelSummarizer(model, { maxPromptTokens: 3000 });
    const tools = { summarizer, withoutModel: transparentSummarizer, model, embedder: wordEmbedder };
    const run = await compact(talk(turns(60), user('And now?')), { ...ladder, targetTokens: 2500, tools });
    expect(run.after.tokens.total).toBeLessThanOrEqual(2500);
    expect(run.failures).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
  });

  it('one output that fills the window by itself is the first to go, and the prompt stays', async () => {
    const { run, text } = await textAfter(
      [
        user('Fix the parser.'),
        call('big', 'bash', { command: 'cat log' }),
        result('big', long('A line.', 4000)),
        call('next'),
        result('next'),
      ],
      2000,
    );
    expect(run.after.tokens.total).toBeLessThanOrEqual(2000);
    expect(text).toContain('Fix the parser.');
  });

  it('names a system prompt that fills the window and ends the run, whatever a model answers', async () => {
    const { model, asked } = scriptedSummaries(obedient);
    const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
    const tools = { summarizer, withoutModel: transparentSummarizer, model, embedder: wordEmbedder };
    const said = talk(system(long('Rules of the project.', 400)), turns(6), user('And now?'), call('o'), result('o'));
    const run = await compact(said, { ...ladder, targetTokens: 2000, tools });
    expect(asked.length).toBeLessThan(5);
    expect(JSON.stringify(run.notes)).toContain('the system prompt');
  });

  it('loses nothing in a second compaction that the first one left', async () => {
    const conversation = talk(turns(12), user('And now?'));
    const first = await compact(conversation, { ...ladder, targetTokens: 2000 });
    const { foldJournal } = await import('../../../extension/engine/journal/journal-state');
    const second = await compact(conversation, { ...ladder, targetTokens: 600, state: foldJournal(first.records) });
    const covered = new Set(second.after.messages.flatMap(({ entryIds }) => entryIds));
    expect(conversation.entries.filter(({ id }) => !covered.has(id))).toEqual([]);
  });

  const work = (count: number) =>
    Array.from({ length: count }, (_, at) => [
      call(`w${at}`, 'read', { path: `src/work-${at}.ts` }, `I look at work ${at}.`),
      result(`w${at}`, long(`Work ${at}.`, 10)),
    ]).flat();

  const everythingAfter = async (said: readonly (Said | readonly Said[])[], targetTokens: number) => {
    const run = await compact(talk(...said), { ...ladder, targetTokens });
    expect(run.records.length).toBeGreaterThan(0);
    return JSON.stringify(run.after.messages.map(({ parts }) => parts));
  };

  it('a to-do list of the running turn is shown with its states', async () => {
    const todos = [
      { content: 'Port the parser', status: 'completed', activeForm: 'Porting the parser' },
      { content: 'Write the tests', status: 'in_progress', activeForm: 'Writing the tests' },
      { content: 'Update the docs', status: 'pending', activeForm: 'Updating the docs' },
    ];
    const list = [call('todo', 'TodoWrite', { todos }), result('todo', 'ok')];
    const said = await everythingAfter([turns(4), user('Port it all.'), list, work(12)], 900);
    for (const open of ['Write the tests', 'Update the docs']) expect(said).toContain(open);
  });

  it('a subagent that has not answered yet is still there, with its task', async () => {
    const started = call(
      'agent',
      'Task',
      { description: 'Write the report', prompt: 'Write report.md' },
      'I start one.',
    );
    expect(await everythingAfter([turns(8), user('Go on.'), work(8), started], 700)).toContain('Write the report');
  });

  it('a subagent at work in the background is named', async () => {
    const input = { description: 'Write the report', prompt: 'Write report.md', run_in_background: true };
    const started = [
      call('agent', 'Agent', input, 'I start one.'),
      result('agent', 'Async agent launched. agentId: a2ec85'),
    ];
    expect(await everythingAfter([turns(4), user('Go on.'), started, work(12)], 900)).toContain('Write the report');
  });
});
