import { describe, expect, it } from 'vitest';
import { proposerText } from '../../../webview/state/core/proposals.svelte';
import {
  blockWriter,
  compactionCost,
  previewCost,
  progressText,
  streamedLine,
} from '../../../webview/state/shared/cost';
import { compaction, preview } from '../builders/view';

const texts = (facts: readonly { readonly text: string }[]) => facts.map(({ text }) => text);

it('says of each block which model wrote it, with how many tokens', () => {
  const [block] = preview('p').blocks;
  if (!block) throw new Error('The preview has no block.');
  expect(blockWriter(block).text).toBe('written without a model');
  const written = { ...block, summarizer: 'claude -p (haiku)', tokensSpent: { input: 11_300, output: 1_100 } };
  expect(blockWriter(written).text).toBe('written by claude -p (haiku) with 12.4k tokens');
});

describe('what a compaction cost', () => {
  it('lists every known fact', () => {
    const known = compaction(1, {
      trigger: 'automatic',
      tokensSpent: { input: 9_000, output: 800 },
      durationMs: 7_240,
      cacheTokensInvalidated: 38_000,
      repaired: 3,
    });

    expect(texts(compactionCost(known))).toEqual([
      'automatic',
      '9.8k tokens spent',
      '7.2 s',
      '38k tokens lose the prompt cache',
      '3 put back',
    ]);
  });

  it('leaves out unknown and zero facts', () => {
    expect(compactionCost(compaction(1))).toEqual([]);
    const free = compaction(1, {
      tokensSpent: { input: 0, output: 0 },
      cacheTokensInvalidated: 0,
      durationMs: 38,
      trigger: 'manual',
    });
    expect(texts(compactionCost(free))).toEqual(['by hand']);
    expect(compactionCost(compaction(1, { trigger: 'manual', excludes: true }))).toEqual([]);
  });
});

describe('what a preview cost', () => {
  it('names tokens spent and what the provider’s cache will lose', () => {
    const cost = previewCost(preview('p', { tokensSpent: { input: 100, output: 20 }, cacheTokensInvalidated: 1_500 }));

    expect(texts(cost)).toEqual(['120 tokens spent', '1.5k tokens lose the prompt cache']);
    expect(cost[0]?.note).toContain('read 100 tokens and wrote 20');
  });
});

describe('work that is under way', () => {
  const busy = (progress: { done: number; of: number; text: string } | null) => ({
    label: 'Summarizing',
    cancellable: true,
    progress,
  });

  it('counts its blocks, once there are any', () => {
    expect([progressText(busy(null)), streamedLine(busy(null))]).toEqual(['', '']);
    expect(progressText(busy({ done: 3, of: 12, text: '' }))).toBe('3 of 12 blocks');
    expect(progressText(busy({ done: 0, of: 1, text: '' }))).toBe('0 of 1 block');
  });

  it('shows what streams as one line', () => {
    expect(streamedLine(busy({ done: 0, of: 1, text: '## Goal Arc\n\nStarted  with\n' }))).toBe(
      '## Goal Arc Started with',
    );
  });
});

describe('who proposed an item', () => {
  it('names a model that proposed an item, and explains a rule', () => {
    expect([proposerText('sentences'), proposerText('model-2'), proposerText(undefined)]).toEqual([
      'found in the conversation',
      'proposed by model-2',
      'proposed',
    ]);
  });
});
