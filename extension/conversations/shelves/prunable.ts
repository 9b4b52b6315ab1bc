import type { KeptFiles } from './kept-files';

/** What makes a kept conversation one to delete: all that is given must hold. */
export interface PruneConditions {
  /** Milliseconds since it was written to. */
  readonly olderThan?: number;
  /** Bytes. */
  readonly largerThan?: number;
}

/** A conversation that was written to within this time may be going on, in milliseconds. */
const inUseMs = 10 * 60_000;

/** Whether to delete it. One that may be in use never is. `now`: milliseconds since the epoch. */
export function isPrunable(
  { modified, bytes }: Pick<KeptFiles, 'modified' | 'bytes'>,
  { olderThan = 0, largerThan = 0 }: PruneConditions,
  now: number,
): boolean {
  return now - modified > Math.max(inUseMs, olderThan) && bytes > largerThan;
}
