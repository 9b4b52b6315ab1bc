import { stat } from 'node:fs/promises';
import { readAddress } from '../../sessions/address';
import type { ReplayReport } from '../measure/replay';
import { findSessions, type SearchLimits, searchLimits } from './find-sessions';
import type { ReplayOwner } from './replay-owner';
import type { ReplayHeader } from './replay-records';
import { replayReportOf } from './replay-report-of';
import { type ReplayProgress, ReplayRun } from './replay-run';

export interface ReplayOptions {
  /** The file of the replay. An unfinished one is continued. */
  readonly records: string;
  readonly strategies: readonly string[];
  /** Measures the sessions, in this thread or elsewhere. `header` is the one with which the replay began. */
  readonly measure: (owner: ReplayOwner, header: ReplayHeader) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** The project of a session's file. Default: the folder that the agent worked in. */
  readonly projectOf?: (file: string) => string;
  /** Maximum number of simulated boundaries per session. */
  readonly simulatedPerSession?: number;
  readonly limits?: SearchLimits;
  /** ISO 8601. */
  readonly now: () => string;
  readonly madeWith: ReplayReport['madeWith'];
}

const simulatedPerSession = 4;

/**
 * Measures what later work needed at the compactions of these sessions and at simulated ones, and how much of it each way keeps. `skipped`
 * lists what could not be read. Rejects with the signal's reason; findings up to then are kept.
 */
export async function replaySessions(
  folderOrFiles: string | readonly string[],
  options: ReplayOptions,
): Promise<ReplayReport> {
  const { records, strategies, signal, onProgress = () => undefined } = options;
  const found = await findSessions(folderOrFiles, options.limits ?? searchLimits, signal);
  const header = {
    kind: 'header' as const,
    version: 1 as const,
    time: options.now(),
    madeWith: options.madeWith,
    strategies: [...strategies],
    simulatedPerSession: options.simulatedPerSession ?? simulatedPerSession,
    sessions: await Promise.all(found.addresses.map(withSize)),
  };
  const run = await ReplayRun.open(records, header, found, onProgress);
  await options.measure(run, run.header);
  return await replayReportOf(records, found.skipped, options.projectOf);
}

/** For a session in a database, the size of the database. */
async function withSize(address: string): Promise<[string, number]> {
  const [, inStore] = readAddress(address);
  for (const file of [address, ...(inStore ? [inStore.file] : [])]) {
    const found = await stat(file).catch(() => null);
    if (found) return [address, found.size];
  }
  return [address, 0];
}
