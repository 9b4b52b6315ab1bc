import type { ConversationFiles } from './conversation-files';

/** Selects the conversations to delete. All given conditions must hold. */
export interface PruneConditions {
  /** Milliseconds since it was written to. */
  readonly olderThan?: number;
  /** Bytes. */
  readonly largerThan?: number;
}

/** A conversation that was written to within this time may be in use, in milliseconds. */
const inUseMs = 10 * 60_000;

/** A conversation may be deleted once it is older than this, in milliseconds. One that may be in use is never deleted. */
export function leastAge({ olderThan = 0 }: PruneConditions): number {
  return Math.max(inUseMs, olderThan);
}

/** Whether to delete it. `now`: milliseconds since the epoch. */
export function isPrunable(
  { modified, bytes }: Pick<ConversationFiles, 'modified' | 'bytes'>,
  conditions: PruneConditions,
  now: number,
): boolean {
  return now - modified > leastAge(conditions) && bytes > (conditions.largerThan ?? 0);
}
