import { expect, it } from 'vitest';
import type { AgentCompaction } from '../../extension/engine/conversation/conversation';
import { agentThreshold } from '../../extension/inspection/agent-threshold';
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

const of = (agent: AgentId, ...agentCompactions: readonly AgentCompaction[]) =>
  agentThreshold({ session: { agent }, conversation: { agentCompactions }, contextWindow: 200_000 });

it('is the size at which the agent compacted by itself last', () => {
  const byHand = compacted(90_000, { trigger: 'manual' });
  const clearing = compacted(120_000, { kind: 'cleared' });
  expect(of('claude-code', compacted(150_000), compacted(155_000), byHand, clearing)).toEqual({
    tokens: 155_000,
    from: 'earlier',
  });
});

it('is the default of the agent where it has not compacted by itself', () => {
  expect([of('claude-code'), of('codex'), of('pi')].map((found) => found?.tokens)).toEqual([167_000, 180_000, 183_616]);
  expect(of('claude-code', compacted(null))?.from).toBe('default');
});

it('is not known of an agent that has not compacted by itself and whose default is not known', () => {
  expect(of('cline')).toBeNull();
});
