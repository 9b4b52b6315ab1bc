import * as l10n from '@vscode/l10n';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import { OperationRefused } from '../../engine/journal/operation-refused';

export function strataId(seq: number): string {
  return `strata:${seq}`;
}

export function runId(run: number): string {
  return `run:${run}`;
}

export function agentCompactionId({ id }: Pick<AgentCompaction, 'id'>): string {
  return `agent:${id}`;
}

/** A block that came with a fork. */
export function forkedId(entryId: string): string {
  return `fork:${entryId}`;
}

/** The number of a block by its id. What an agent compacted cannot be changed. */
export function seqOf(id: string): number {
  const seq = /^strata:(\d+)$/.exec(id)?.[1];
  if (seq === undefined) throw new OperationRefused(l10n.t('Only compactions of Strata can be changed.'));
  return Number(seq);
}

export function runOfId(id: string): number | null {
  const run = /^run:(\d+)$/.exec(id)?.[1];
  return run === undefined ? null : Number(run);
}
