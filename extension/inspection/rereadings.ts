import { branchOf } from '../engine/conversation/branch';
import { type ReadCount, type Rereading, rereadings } from '../engine/history/rereading';
import type { Inspection } from './inspection';

/** Repeated reads after each of the agent's compactions, by compaction id. */
export function rereadingsIn({ conversation, ledger, context }: Inspection): ReadonlyMap<string, Rereading> {
  const { calibration } = context.tokens;
  const scaled = ({ calls, tokens }: ReadCount) => ({ calls, tokens: Math.round(tokens * calibration) });
  const found = rereadings(branchOf(conversation), (entry) => ledger.ofEntry(entry));
  return new Map(
    [...found].map(([id, one]) => [id, { ...one, again: scaled(one.again), changedSince: scaled(one.changedSince) }]),
  );
}
