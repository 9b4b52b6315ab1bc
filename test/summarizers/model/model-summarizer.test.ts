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

function summarize(text: string, isCut = false, changes: Partial<SummaryRequest> = {}) {
  return answering(text, isCut).summarizer.summarize({ ...request, ...changes }, new AbortController().signal);
}

describe('model summarizer', () => {
  it('model summarizer has the model’s concurrency, and allows a quarter and 64 tokens more than it asks for', async () => {
    const { summarizer, prompts } = answering('## Milestones\nI fixed it.');
    const summary = await summarizer.summarize(request, new AbortController().signal);
    expect([summarizer.name, summarizer.model, summarizer.concurrency]).toEqual(['scripted', 'm', 2]);
    expect(prompts[0]?.maxTokens).toBe(314);
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

  it('shortens a cut answer to its last complete line if half of the sections are there', async () => {
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
        'The answer of m (scripted) was cut off at 314 tokens, with too little of the summary by then. Try again, or choose another model.',
    });
  });

  it('shortens running text to its last complete sentence', async () => {
    const running = { sections: [], summaryType: 'naive' };
    expect((await summarize('I read a.ts. It was 3.5 kB. Then I wro', true, running)).body).toBe(
      'I read a.ts. It was 3.5 kB.',
    );
    await expect(summarize('I never came to an e', true, running)).rejects.toThrow('was cut off');
  });

  it('says at the end of a summary that the record continues, where it does', async () => {
    const answer = '## Milestones\nI fixed it.';
    const later = talk(user('Please fix it.'), assistant('I fixed it.'), assistant('I go on.')).entries;
    expect((await summarize(answer, false, { context: later.slice(0, 2) })).body).toBe(answer);
    expect((await summarize(answer, false, { context: later })).body).toBe(
      `${answer}\n\n(The record goes on after this.)`,
    );
  });

  it('passes on an empty answer to verification', async () => {
    expect((await summarize('  \n')).body).toBe('');
  });
});
