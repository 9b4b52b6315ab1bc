import { randomUUID } from 'node:crypto';
import type { LineFormat } from '../../sessions/adapter';
import { adapterOf } from '../../sessions/adapters';
import { ForkNotWritten } from '../../sessions/fork/fork-file';
import { type Chance, type ForkFormat, ForkRefused } from '../../sessions/fork/fork-format';
import { type AgentId, agentNames } from '../../sessions/session';
import { type Inspection, OperationRefused } from '../inspection';
import type { ForkOrder } from './fork';

export const chanceOfThisProcess: Chance = { uuid: () => randomUUID(), now: () => new Date() };

export type ForkableFormat = LineFormat & { readonly fork: ForkFormat };

/** Whether Strata can write new sessions of this agent. */
export function canFork(agent: AgentId): boolean {
  return adapterOf(agent).fork !== undefined;
}

/** Whether Strata can write a compaction into this agent's sessions themselves. */
export function canCompactInPlace(agent: AgentId): boolean {
  return adapterOf(agent).fork?.appends === true;
}

export function forkableFormat(agent: AgentId): ForkableFormat {
  const adapter = adapterOf(agent);
  if (adapter.kind === 'lines' && adapter.fork) return { ...adapter, fork: adapter.fork };
  throw new OperationRefused('Strata cannot write sessions of {0}. Hand off instead.', [agentNames[agent]]);
}

/** The refusal for the user if something could not be written; any other error unchanged. */
export function asRefusal(error: unknown): unknown {
  const isExpected = error instanceof ForkRefused || error instanceof ForkNotWritten;
  return isExpected ? new OperationRefused(error.wording, [], { cause: error }) : error;
}

/**
 * For a session that may have been interrupted (it ends in an open call, was written just now, and no process says that
 * it has it open): when it counts as at rest. Null for a session that can be forked at once, or that an agent has open.
 */
export function restsFrom({ session }: Pick<Inspection, 'session'>, now: Date): Date | null {
  const { live, awaitsReply, restsFrom: at = 0 } = session;
  return live && awaitsReply && at > now.getTime() ? new Date(at) : null;
}

/** Throws `OperationRefused`. */
export function refuseWhileAtWork(
  inspection: Inspection,
  { isInterrupted, chance = chanceOfThisProcess }: ForkOrder,
): void {
  const { session } = inspection;
  if (!session.live || !session.awaitsReply) return;
  if (session.restsFrom !== undefined) {
    const from = restsFrom(inspection, chance.now());
    if (from === null || isInterrupted) return;
    throw new OperationRefused(
      '{0} may be at work in this session, and its next answer would be missing. If it was interrupted, confirm that to fork it now. Otherwise try again in {1} seconds.',
      [agentNames[session.agent], Math.ceil((from.getTime() - chance.now().getTime()) / 1000)],
    );
  }
  throw new OperationRefused(
    '{0} is at work in this session, and its next answer would be missing. Try again when it has answered.',
    [agentNames[session.agent]],
  );
}
