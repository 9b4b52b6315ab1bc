import type { AgentId, Session } from '../sessions/session';
import { givesEachRequest } from './each-request';
import { canFork } from './fork/forkable';

/**
 * Where compactions of a session take effect.
 * `next-request`: Strata makes the requests, or their messages, so the next one is sent compacted.
 * `next-compaction`: Strata is inside the agent, whose next compaction uses the context here.
 * `when-asked`: Strata is inside the agent, whose own compaction cannot be replaced. The context here comes where the
 * agent is asked for it.
 * `new-session`: the agent continues with its own context; a fork of the session is compacted.
 * `nowhere`: Strata cannot write sessions of this agent; a handoff is left.
 */
export type Effect = 'next-request' | 'next-compaction' | 'when-asked' | 'new-session' | 'nowhere';

/** Agents whose own compaction no plugin can replace, though they take a context from one. */
const keepsOwn: ReadonlySet<AgentId> = new Set(['cline', 'copilot-cli']);

export function keepsOwnCompaction(agent: AgentId): boolean {
  return keepsOwn.has(agent);
}

interface EffectSource {
  readonly session: Pick<Session, 'agent'>;
  /** A plugin of Strata is inside the agent of this session. */
  readonly isStrataInside: boolean;
}

export function effectOf({ session, isStrataInside }: EffectSource): Effect {
  if (givesEachRequest({ session, isStrataInside })) return 'next-request';
  if (isStrataInside) return keepsOwnCompaction(session.agent) ? 'when-asked' : 'next-compaction';
  return canFork(session.agent) ? 'new-session' : 'nowhere';
}

/** Whether an automatic compaction changes what the agent has. Otherwise it would only change what is shown. */
export function reachesAgent(effect: Effect): boolean {
  return effect === 'next-request' || effect === 'next-compaction';
}
