import { expect, it } from 'vitest';
import type { AgentCompaction } from '../../extension/engine/conversation/conversation';
import {
  agentThreshold,
  noOwnCompactionFacts,
  type OwnCompactionFacts,
} from '../../extension/inspection/agent-threshold';
import type { AgentId } from '../../extension/sessions/session';

const compacted = (tokensBefore: number | null, fields: Partial<AgentCompaction> = {}): AgentCompaction => ({
  id: 'c',
  kind: 'summary',
  timestamp: null,
  summaryEntryId: 's',
  replacedEntryIds: [],
  tokensBefore,
  tokensAfter: null,
  trigger: 'automatic',
  origin: { file: 'session.jsonl', line: 1 },
  ...fields,
});

const of = (
  agent: AgentId,
  agentCompactions: readonly AgentCompaction[] = [],
  ownCompaction: OwnCompactionFacts = noOwnCompactionFacts,
) =>
  agentThreshold({
    session: { agent, model: null },
    conversation: { agentCompactions },
    contextWindow: 200_000,
    ownCompaction,
  });

it('is the size at which the agent compacted by itself last', () => {
  const byHand = compacted(90_000, { trigger: 'manual' });
  const clearing = compacted(120_000, { kind: 'cleared' });
  const all = [compacted(150_000), compacted(155_000), byHand, clearing];
  expect(of('claude-code', all)).toEqual({ tokens: 155_000, from: 'session' });
});

it('is the size of an earlier session if the agent has not compacted in this one', () => {
  const facts = { ...noOwnCompactionFacts, earlierSession: { tokens: 142_000, time: 0 } };
  expect(of('cline', [], facts)).toEqual({ tokens: 142_000, from: 'earlier-session' });
  expect(of('cline', [compacted(150_000)], facts)?.tokens).toBe(150_000);
  // It had another window, so it says nothing about this one.
  expect(of('cline', [], { ...facts, earlierSession: { tokens: 600_000, time: 0 } })).toBeNull();
});

it('is the default of the agent if nothing else is known', () => {
  const tokens = (['claude-code', 'codex', 'pi', 'gemini-cli', 'qwen-code'] as const).map((agent) => of(agent)?.tokens);
  expect(tokens).toEqual([167_000, 189_474, 183_616, 100_000, 167_000]);
  expect(of('claude-code', [compacted(null)])?.from).toBe('default');
});

it('is what the settings say, if they were changed after the agent compacted last', () => {
  const file = '/home/me/.pi/agent/settings.json';
  const modified = Date.parse('2026-11-02T12:00:00Z');
  const settings = [{ file, content: { compaction: { reserveTokens: 80_000 } }, modified }];
  const earlierSession = { tokens: 150_000, time: Date.parse('2026-11-01T12:00:00Z') };
  const facts = { ...noOwnCompactionFacts, settings, earlierSession };
  const before = compacted(183_000, { timestamp: '2026-11-01T12:00:00Z' });
  expect(of('pi', [before], facts)).toEqual({ tokens: 120_000, from: 'settings', file, since: modified });
  const after = compacted(121_500, { timestamp: '2026-11-03T12:00:00Z' });
  expect(of('pi', [before, after], facts)).toEqual({ tokens: 121_500, from: 'session' });
});

it('is the default again once the setting by which the agent compacted last is deleted', () => {
  const modified = Date.parse('2026-11-02T12:00:00Z');
  const settings = [{ file: '/home/me/.pi/agent/settings.json', content: {}, modified }];
  const facts = { ...noOwnCompactionFacts, settings };
  const compactedOn = (day: string) => of('pi', [compacted(120_000, { timestamp: `${day}T12:00:00Z` })], facts);
  expect(compactedOn('2026-11-01')).toEqual({ tokens: 183_616, from: 'default', since: modified });
  expect(compactedOn('2026-11-03')?.from).toBe('session');
});

it('is not known of an agent that has not compacted by itself and whose default is not known', () => {
  expect(of('cline')).toBeNull();
});
