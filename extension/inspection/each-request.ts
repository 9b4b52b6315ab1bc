import type { AgentId, Session } from '../sessions/session';

/** Agents whose plugin gives the messages of each request, not only those after a compaction of the agent. */
const asksForEachRequest: ReadonlySet<AgentId> = new Set(['cline']);

/** Whether each request of the session has Strata's context. */
export function givesEachRequest(source: {
  readonly session: Pick<Session, 'agent'>;
  /** A plugin of Strata is inside the agent of this session. */
  readonly isStrataInside: boolean;
}): boolean {
  const { agent } = source.session;
  return agent === 'strata' || (source.isStrataInside && asksForEachRequest.has(agent));
}
