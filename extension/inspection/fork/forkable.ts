import { randomUUID } from 'node:crypto';
import type { LineFormat } from '../../sessions/adapter';
import { adapterOf } from '../../sessions/adapters';
import { ForkNotWritten } from '../../sessions/fork/fork-file';
import { type Chance, type ForkFormat, ForkRefused } from '../../sessions/fork/fork-format';
import { type AgentId, agentNames } from '../../sessions/session';
import { OperationRefused } from '../inspection';

export const chanceOfThisProcess: Chance = { uuid: () => randomUUID(), now: () => new Date() };

export type ForkableFormat = LineFormat & { readonly fork: ForkFormat };

/** Whether Strata can write new sessions of this agent. */
export function canFork(agent: AgentId): boolean {
  return adapterOf(agent).fork !== undefined;
}

/** Whether Strata can write a compaction into sessions of this agent themselves. */
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
