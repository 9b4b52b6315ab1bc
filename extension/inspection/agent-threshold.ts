import type { AgentCompaction } from '../engine/conversation/conversation';
import type { AgentId } from '../sessions/session';

/** The size of the context at which an agent compacts by itself. */
export interface AgentThreshold {
  readonly tokens: number;
  /** `earlier`: the size at which it did so last in this session. `default`: what it does unless its settings say otherwise. */
  readonly from: 'earlier' | 'default';
}

/**
 * Tokens that an agent keeps free by default, by its window. Claude Code: 20,000 for the reply and 13,000 for the compaction.
 * Codex: `model_auto_compact_token_limit`, by default nine tenths of the window. pi: `compaction.reserveTokens`.
 */
const keptFree: Partial<Readonly<Record<AgentId, (contextWindow: number) => number>>> = {
  'claude-code': () => 33_000,
  codex: (contextWindow) => contextWindow / 10,
  pi: () => 16_384,
};

export interface ThresholdSource {
  readonly session: { readonly agent: AgentId };
  readonly conversation: { readonly agentCompactions: readonly AgentCompaction[] };
  readonly contextWindow: number;
}

/** Null if it is not known. */
export function agentThreshold({ session, conversation, contextWindow }: ThresholdSource): AgentThreshold | null {
  const last = conversation.agentCompactions.findLast(isByItself)?.tokensBefore;
  if (last != null && last > 0 && last <= contextWindow) return { tokens: last, from: 'earlier' };
  const free = keptFree[session.agent]?.(contextWindow);
  return free === undefined || free >= contextWindow
    ? null
    : { tokens: Math.round(contextWindow - free), from: 'default' };
}

function isByItself({ kind, trigger }: AgentCompaction): boolean {
  return kind === 'summary' && trigger === 'automatic';
}
