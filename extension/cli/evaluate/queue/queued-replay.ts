import { measureSessions } from '../../../evaluation/sessions/measure-sessions';
import type { Measured, ReplayOwner } from '../../../evaluation/sessions/replay-owner';
import type { ReplayHeader } from '../../../evaluation/sessions/replay-records';
import { toolsWithoutModel } from '../../../summarizers/without-model';
import { CommandFailed } from '../../command-failed';
import { warn } from '../../output';
import { type Asking, collectJobs, persistently } from './collect-jobs';
import { type JobOutcome, type QueuedSessions, RunQueue } from './run-queue';

/** A session, and the boundaries of it that a worker measures. */
export interface SessionJob {
  readonly at: number;
  readonly address: string;
  /** Shared by all copies of the session. */
  readonly session: string;
  /** Keys of the boundaries. */
  readonly keys: readonly string[];
}

/**
 * Reads the sessions here, where copies are recognized, and has workers measure their boundaries. Throws `CommandFailed` if some could not
 * be measured; finished results are kept.
 */
export async function measureOnQueue(
  address: string,
  owner: ReplayOwner,
  header: ReplayHeader,
  signal: AbortSignal,
): Promise<void> {
  await RunQueue.during(address, (queue) =>
    measuredByWorkers({ queue, signal, onNotice: warn }, owner, { kind: 'sessions', header }),
  );
}

async function measuredByWorkers(asking: Asking, owner: ReplayOwner, run: QueuedSessions): Promise<void> {
  const { queue, signal, onNotice } = asking;
  const jobs = new Map<string, SessionJob>();
  const reader: ReplayOwner = {
    next: () => owner.next(),
    read: async (read) => {
      const { session, keys } = await owner.read(read);
      if (keys.length > 0) {
        const job: SessionJob = { at: read.at, address: read.address, session, keys };
        for (const [id, sent] of await persistently(() => queue.send(run, [job], keyOf), asking)) jobs.set(id, sent);
        if (jobs.size === 1) onNotice(`sessions wait at ${queue.place} for "strata evaluate work --queue --sessions"`);
      }
      return { session, keys: [] };
    },
    measured: (result) => owner.measured(result),
  };
  await measureSessions(reader, {
    tools: toolsWithoutModel,
    strategies: [],
    signal,
  });
  const failed: string[] = [];
  const settle = async ({ at, address, keys }: SessionJob, outcome: JobOutcome) => {
    if (outcome.kind === 'failed') failed.push(`${address}: ${outcome.reason}`);
    else
      for (const result of JSON.parse(outcome.text) as readonly Measured[])
        if (result.at === at && keys.includes(result.key)) await owner.measured(result);
  };
  if (jobs.size > 0) await collectJobs(run, jobs, settle, asking);
  for (const failure of failed) onNotice(failure);
  if (failed.length > 0)
    throw new CommandFailed(`${failed.length} of ${jobs.size} sessions were not measured; run the same command again`);
}

const keyOf = ({ at }: SessionJob) => `session ${at}`;
