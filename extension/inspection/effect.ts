import type { AgentId, Session } from '../sessions/session';
import { givesEachRequest } from './each-request';
import { canFork } from './fork/forkable';

/**
 * Where compactions of a session take effect. `next-request`: Strata makes the requests or their messages, so the next one is compacted.
 * `next-compaction`: Strata is inside the agent, whose next compaction uses the context here. `when-asked`: Strata is inside the agent,
 * whose own compaction cannot be replaced. The agent takes the context here when the person asks it to. `new-session`: the agent continues
 * with its own context; a fork of the session is compacted. `nowhere`: Strata cannot write sessions of this agent; only a handoff is
 * possible.
 */
export type Effect = 'next-request' | 'next-compaction' | 'when-asked' | 'new-session' | 'nowhere';

/** Agents whose own compaction no plugin can replace, although they accept a context from a plugin. */
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
