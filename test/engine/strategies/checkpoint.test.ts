import { describe, expect, it } from 'vitest';
import type { Context } from '../../../extension/engine/conversation/context';
import { textOf, toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { agentSummary, assistant, call, calls, long, result, type Said, talk, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

/**
 * Tests of the cuts and boundaries in docs/specification/strategies.md, "Checkpoint". u: user message, a: reply, t:
 * tool result.
 */

const first: Said[] = [
  user(long('u1', 12)),
  calls('c1', 'c2'),
  result('c1', long('t1', 12)),
  result('c2', long('t1', 12)),
  assistant(long('a1', 12)),
  user('u2'),
  assistant('a2'),
  user('u3'),
  call('c3'),
  result('c3', 't3'),
  call('c4'),
  result('c4', 't3'),
  assistant('a3'),
  user('u4'),
  call('c5'),
  result('c5', 't4'),
  assistant(long('a4', 12)),
];
const more = [user('u5'), assistant(long('a5', 12))];
const second = [...more, user('u6'), call('c6'), result('c6', 't6'), assistant('a6'), user('u7'), assistant('a7')];

const keepLastFour = keepLast(4, first);

/** The number of tokens that the last messages take. */
function keepLast(count: number, said: readonly Said[]) {
  const kept = contextOf(talk(said)).messages.slice(-count);
  return { checkpoint: { keepRecentTokens: kept.reduce((total, message) => total + message.tokens, 0) } };
}

function notation({ messages }: Context): string[] {
  return messages
    .filter((message) => message.kind !== 'core')
    .map(({ block, role, parts }) => {
      if (block) return 'summary';
      if (role === 'tool') return `t(${toolResults(parts)[0]?.callId})`;
      return toolCalls(parts).length > 0 ? `a(${toolCalls(parts)[0]?.callId})` : (textOf(parts).split(' ')[0] ?? '');
    });
}

describe('checkpoint', () => {
  it('checkpoint consists of one summary, the last four messages, and everything after them', async () => {
    const conversation = talk(first);
    const { records, after } = await compact(conversation, { strategy: 'checkpoint', parameters: keepLastFour });
    expect(notation(after)).toEqual(['summary', 'u4', 'a(c5)', 't(c5)', 'a4']);
    const later = contextOf(talk(first, more), foldJournal(records));
    expect(notation(later)).toEqual(['summary', 'u4', 'a(c5)', 't(c5)', 'a4', 'u5', 'a5']);
  });

  it('checkpoint is a user message that is introduced as a summary', async () => {
    const { after } = await compact(talk(first), { strategy: 'checkpoint', parameters: keepLastFour });
    const block = after.messages.find((message) => message.block);
    expect(block).toMatchObject({ role: 'user', block: { metadata: { summary_type: 'checkpoint', turn_count: 3 } } });
    expect(textOf(block?.parts ?? [])).toMatch(/^\[SUMMARIZED\]\nThis stands in place of .*\n\n## /);
  });

  it('takes in an earlier checkpoint with its kept tail', async () => {
    const state = foldJournal(
      (await compact(talk(first), { strategy: 'checkpoint', parameters: keepLastFour })).records,
    );
    const { after, records } = await compact(talk(first, second), {
      strategy: 'checkpoint',
      state,
      parameters: keepLast(6, second),
    });
    expect(notation(after)).toEqual(['summary', 'u6', 'a(c6)', 't(c6)', 'a6', 'u7', 'a7']);
    expect(records[0]?.swallowed).toEqual([0]);
  });

  it('never keeps messages from before an earlier checkpoint, whatever its token limit', async () => {
    const state = foldJournal(
      (await compact(talk(first), { strategy: 'checkpoint', parameters: keepLastFour })).records,
    );
    const { after } = await compact(talk(first, second), {
      strategy: 'checkpoint',
      state,
      parameters: { checkpoint: { keepRecentTokens: 1_000_000 } },
    });
    expect(notation(after).slice(0, 2)).toEqual(['summary', 'u5']);
  });

  it('never keeps messages from before the agent’s own compaction', async () => {
    // The file has the summary at the place where it was made; it is sent before the messages that it kept.
    const talked = talk(first, [agentSummary('What happened before.')], second);
    const summary = talked.entries.filter((entry) => entry.summary);
    const conversation = {
      ...talked,
      agentContext: [...summary, ...talked.entries.filter((entry) => !entry.summary)],
      agentCompactions: [
        {
          id: 'agent',
          kind: 'summary' as const,
          timestamp: null,
          summaryEntryId: summary[0]?.id ?? null,
          replacedEntryIds: [],
          tokensBefore: null,
          tokensAfter: null,
          trigger: null,
          origin: { file: 'session.jsonl', line: 0 },
        },
      ],
    };
    const { after } = await compact(conversation, {
      strategy: 'checkpoint',
      parameters: { checkpoint: { keepRecentTokens: 1_000_000 } },
    });
    expect(notation(after).slice(0, 2)).toEqual(['summary', 'u5']);
  });

  it('waits until the reserve is reached, unless a person asks', async () => {
    const conversation = talk(first);
    const { total } = contextOf(conversation).tokens;
    const at = (contextWindow: number) =>
      compact(conversation, {
        strategy: 'checkpoint',
        trigger: 'automatic',
        contextWindow,
        parameters: { checkpoint: { reserveTokens: 1000, keepRecentTokens: 40 } },
      });
    expect((await at(total + 1000)).notes.map(String)).toEqual([
      'Checkpoint: 1000 tokens of the window are free; this starts by itself when fewer than 1000 are.',
    ]);
    expect((await at(total + 999)).records).toHaveLength(1);
  });

  it('takes at most four fifths of the reserve', async () => {
    const conversation = talk(
      Array.from({ length: 60 }, (_, index) => [user(`u${index}`), assistant(long(`a${index}`))]).flat(),
    );
    const { plans } = await compact(conversation, {
      strategy: 'checkpoint',
      parameters: { checkpoint: { reserveTokens: 1000, keepRecentTokens: 300 } },
    });
    expect(plans[0]?.maxTokens).toBe(800);
  });

  it('does not summarise a summary if nothing was said since', async () => {
    const state = foldJournal(
      (await compact(talk(first), { strategy: 'checkpoint', parameters: keepLastFour })).records,
    );
    const { records } = await compact(talk(first), { strategy: 'checkpoint', state, parameters: keepLastFour });
    expect(records).toEqual([]);
  });
});
