import * as l10n from '@vscode/l10n';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import { OperationRefused } from '../../engine/journal/operation-refused';

export function strataId(seq: number): string {
  return `strata:${seq}`;
}

export function agentCompactionId({ id }: Pick<AgentCompaction, 'id'>): string {
  return `agent:${id}`;
}

/** A block that came with a fork. */
export function forkedId(entryId: string): string {
  return `fork:${entryId}`;
}

/** Strata's compactions have the id `strata:<seq>`. An agent's cannot be changed. */
export function seqOf(id: string): number {
  const seq = /^strata:(\d+)$/.exec(id)?.[1];
  if (seq === undefined) throw new OperationRefused(l10n.t('Only compactions of Strata can be changed.'));
  return Number(seq);
}
