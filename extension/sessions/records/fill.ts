import { entriesBefore } from '../../engine/conversation/before-compaction';
import { contextTokensOf } from '../../engine/conversation/entry';
import { contextWindowOf } from '../model-windows';
import type { ContextFill, ParsedSession } from '../session';

type FilledSession = Pick<ParsedSession, 'conversation' | 'model' | 'contextWindow'>;

/** As the newest reply reported it, or the compaction after that reply; null if neither says. Nothing is counted. */
export function fillOf({ conversation, model, contextWindow }: FilledSession): ContextFill | null {
  const compaction = conversation.agentCompactions.at(-1);
  const before = compaction === undefined ? null : entriesBefore(compaction, conversation);
  const { fork, entries } = conversation;
  const said = fork === undefined ? conversation.agentContext : entries.slice(fork.entryCount);
  const newest = said.findLast(({ id, usage }) => usage !== undefined && !before?.has(id));
  const tokens = newest?.usage ? contextTokensOf(newest.usage) : (fork?.tokens ?? compaction?.tokensAfter ?? 0);
  return tokens > 0 ? { tokens, window: contextWindow ?? contextWindowOf(model) } : null;
}
