import { describe, expect, it } from 'vitest';
import type { Completion, LanguageModel, Prompt } from '../../../extension/engine/block/language-model';
import { sections } from '../../../extension/engine/block/sections';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { modelSummarizer } from '../../../extension/summarizers/model/model-summarizer';
import { assistant, talk, user } from '../../builders/conversation';

const [asked, answered] = talk(user('Please fix it.'), assistant('I fixed it.')).entries;

const request: SummaryRequest = {
  summaryType: 'conversation',
  sections: sections.conversation,
  turns: [{ user: asked ?? null, userIsReplaced: false, entries: answered ? [answered] : [], blocks: [] }],
  instructions: null,
  core: null,
  liveGoal: null,
  maxTokens: 200,
  countTokens: (text) => Math.ceil(text.length / 4),
};

function answering(text: string, isCut = false) {
  const prompts: { prompt: Prompt; maxTokens: number }[] = [];
  const completion: Completion = { text, isCut, tokens: { input: 10, output: 5 } };
  const model: LanguageModel = {
    name: 'scripted',
    model: 'm',
    concurrency: 2,
    complete: async (prompt, { maxTokens }) => {
      prompts.push({ prompt, maxTokens });
      return completion;
    },
  };
  return { prompts, summarizer: modelSummarizer(model, { maxPromptTokens: 10_000 }) };
}

/** A model that returns these answers one after the other. */
function answeringInTurn(...answers: (string | { text: string; isCut: boolean })[]) {
  const prompts: { prompt: Prompt; maxTokens: number }[] = [];
  const model: LanguageModel = {
    ...{ name: 'scripted', model: 'm', concurrency: 2 },
    complete: async (prompt, { maxTokens }) => {
      const answer = answers[prompts.length] ?? '';
      prompts.push({ prompt, maxTokens });
      const { text, isCut } = typeof answer === 'string' ? { text: answer, isCut: false } : answer;
      return { text, isCut, tokens: { input: 10, output: 5 } };
    },
  };
  return { prompts, summarizer: modelSummarizer(model, { maxPromptTokens: 10_000 }) };
}

function summarize(text: string, isCut = false, changes: Partial<SummaryRequest> = {}) {
  return answering(text, isCut).summarizer.summarize({ ...request, ...changes }, new AbortController().signal);
}

describe('model summarizer', () => {
  it('model summarizer has the model’s concurrency, and is cut off well above what it asks for', async () => {
    const { summarizer, prompts } = answering('## Milestones\nI fixed it.');
    const summary = await summarizer.summarize(request, new AbortController().signal);
    expect([summarizer.name, summarizer.model, summarizer.concurrency]).toEqual(['scripted', 'm', 2]);
    expect(prompts[0]?.maxTokens).toBe(503);
    expect(summary).toMatchObject({
      body: '## Milestones\nI fixed it.',
      spans: [],
      tokensSpent: { input: 10, output: 5 },
    });
  });

  it('hashes the prompt: equal for equal requests, different for others', async () => {
    const hashes = await Promise.all([
      summarize('x'),
      summarize('y'),
      summarize('x', false, { instructions: 'Mind the tests.' }),
    ]);
    const [first, second, third] = hashes.map(({ promptHash }) => promptHash);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('shortens a cut answer to its last complete line if it has half of the sections', async () => {
    const answer = '## Milestones\nI fixed it.\n## Key Decisions\nX because Y.\n## Findings\nOne is whole.\nOne is ha';
    expect((await summarize(answer, true)).body).toBe(
      answer.slice(0, answer.lastIndexOf('\n')).replaceAll('\n##', '\n\n##'),
    );
  });

  it('removes a heading without content', async () => {
    const answer = '## Milestones\nA.\n## Key Decisions\nB.\n## Findings\nC.\n## Current State\nHal';
    expect((await summarize(answer, true)).body.endsWith('## Findings\nC.')).toBe(true);
  });

  it('rejects a cut answer with fewer sections', async () => {
    await expect(summarize('## Milestones\nI fixed it.\n## Key Decisions\nX bec', true)).rejects.toMatchObject({
      name: 'ModelFailed',
      kind: 'broken-answer',
      message:
        'The answer of m (scripted) was cut off at 503 tokens twice, with too little of the summary by then. Try again, or choose another model.',
    });
  });

  it('shortens running text to its last complete sentence', async () => {
    const running = { sections: [], summaryType: 'naive' };
    expect((await summarize('I read a.ts. It was 3.5 kB. Then I wro', true, running)).body).toBe(
      'I read a.ts. It was 3.5 kB.',
    );
    await expect(summarize('I never came to an e', true, running)).rejects.toThrow('was cut off');
  });

  it('says at the end of a summary that the record continues, if it does', async () => {
    const answer = '## Milestones\nI fixed it.';
    const later = talk(user('Please fix it.'), assistant('I fixed it.'), assistant('I go on.')).entries;
    expect((await summarize(answer, false, { context: later.slice(0, 2) })).body).toBe(answer);
    expect((await summarize(answer, false, { context: later })).body).toBe(
      `${answer}\n\n(The record goes on after this.)`,
    );
  });

  const tooLong = `## Milestones\nI fixed it.\n\n## Findings\n${'A finding of many words. '.repeat(80).trim()}\n\n## Open Items\nRun the tests.`;

  it('asks once for a shorter summary, from the summary alone', async () => {
    const { summarizer, prompts } = answeringInTurn(
      tooLong,
      '## Milestones\nI fixed it.\n## Open Items\nRun the tests.',
    );
    const summary = await summarizer.summarize(request, new AbortController().signal);
    expect(summary.body).toBe('## Milestones\nI fixed it.\n\n## Open Items\nRun the tests.');
    expect(summary.tokensSpent).toEqual({ input: 20, output: 10 });
    expect(prompts).toHaveLength(2);
    expect(prompts[1]?.prompt.user).toMatch(/longer than there is room for\. Write it again in at most 64 words/);
    expect(prompts[1]?.prompt.user).toContain('> ## Open Items\nRun the tests.');
    expect(prompts[1]?.prompt.user).not.toContain('Please fix it.');
  });

  it('then leaves out whole sections, the least important first', async () => {
    const { summarizer, prompts } = answeringInTurn(tooLong, tooLong);
    const { body } = await summarizer.summarize(request, new AbortController().signal);
    expect(prompts).toHaveLength(2);
    expect(body).toBe(
      '## Milestones\n[… left out: too long]\n\n## Findings\n[… left out: too long]\n\n## Open Items\nRun the tests.',
    );
  });

  it('never leaves out the state of the work', async () => {
    const open = tooLong.replace('## Findings', '## Current State');
    const { summarizer } = answeringInTurn(open, open);
    await expect(summarizer.summarize(request, new AbortController().signal)).rejects.toThrow(
      'The answer of m (scripted) is longer than 314 tokens, although a shorter one was asked for.',
    );
  });

  it('asks once more with the record if the end of the answer was cut off', async () => {
    const whole = '## Milestones\nI fixed it.\n\n## Open Items\nRun the tests.';
    const { summarizer, prompts } = answeringInTurn({ text: '## Milestones\nI fixed it. I al', isCut: true }, whole);
    expect((await summarizer.summarize(request, new AbortController().signal)).body).toBe(whole);
    expect(prompts[1]?.prompt.user).toContain('its end was cut off');
    expect(prompts[1]?.prompt.user).toContain('Please fix it.');
  });

  it('fails on a call of a tool in place of a summary', async () => {
    await expect(summarize('<tool_call>{"name": "read"}</tool_call>')).rejects.toMatchObject({
      name: 'ModelFailed',
      message: 'The answer of m (scripted) is not a summary: it calls a tool.',
    });
  });

  it('passes on an empty answer to verification', async () => {
    expect((await summarize('  \n')).body).toBe('');
  });
});
