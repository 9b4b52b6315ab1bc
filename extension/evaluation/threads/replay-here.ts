import { strategyChoices } from '../../engine/run/prepare/registry';
import { toolsWithoutModel } from '../../summarizers/without-model';
import type { ReplayReport } from '../measure/replay';
import { measureSessions } from '../sessions/measure-sessions';
import { replaySessions } from '../sessions/replay-sessions';
import type { Work } from './messages';

export interface ReplayStart {
  /** A folder, or files. */
  readonly sessions: string | readonly string[];
  /** The file that records what is measured, so that a stopped replay can continue. */
  readonly records: string;
  readonly madeWith: ReplayReport['madeWith'];
}

export interface Replayed {
  /** The report as UTF-8 JSON. */
  readonly bytes: Uint8Array;
  readonly sessions: number;
  readonly boundaries: number;
  readonly skipped: ReplayReport['skipped'];
}

/** Replays sessions with every strategy and without a model, in this thread. */
export async function replayHere(start: ReplayStart, { signal, onProgress }: Work): Promise<Replayed> {
  const strategies = strategyChoices();
  const report = await replaySessions(start.sessions, {
    records: start.records,
    strategies: strategies.map(({ name }) => name),
    measure: (owner) => measureSessions(owner, { tools: toolsWithoutModel, strategies, signal }),
    signal,
    onProgress: ({ done, of, file }) => onProgress({ done, of, subject: file }),
    now: () => new Date().toISOString(),
    madeWith: start.madeWith,
  });
  const bytes = new TextEncoder().encode(`${JSON.stringify(report)}\n`);
  const { agent, simulated } = report.measured;
  return { bytes, sessions: report.sessions, boundaries: agent + simulated, skipped: report.skipped };
}
