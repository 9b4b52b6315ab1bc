import type { ConversationFiles } from './conversation-files';

/** What makes a kept conversation one to delete: all that is given must hold. */
export interface PruneConditions {
  /** Milliseconds since it was written to. */
  readonly olderThan?: number;
  /** Bytes. */
  readonly largerThan?: number;
}

/** A conversation that was written to within this time may be going on, in milliseconds. */
const inUseMs = 10 * 60_000;

/** Milliseconds since it was written to, after which it may be deleted: one that may be in use never is. */
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
