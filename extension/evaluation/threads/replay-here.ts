import { toolsWithoutModel } from '../../summarizers/without-model';
import type { ReplayReport } from '../measure/replay';
import { replaySessions } from '../sessions/replay-sessions';
import type { Work } from './working-thread';

export interface ReplayStart {
  /** A folder, or files. */
  readonly sessions: string | readonly string[];
  readonly madeWith: ReplayReport['madeWith'];
}

export interface Replayed {
  /** The report as UTF-8 JSON. */
  readonly bytes: Uint8Array;
  readonly sessions: number;
  readonly boundaries: number;
  readonly skipped: ReplayReport['skipped'];
}

/** Replays sessions without a model. Writes nothing. */
export async function replayHere({ sessions, madeWith }: ReplayStart, { signal, onProgress }: Work): Promise<Replayed> {
  const report = await replaySessions(sessions, {
    tools: toolsWithoutModel,
    signal,
    onProgress: ({ done, of, file }) => onProgress({ done, of, subject: file }),
    now: () => new Date().toISOString(),
    madeWith,
  });
  const bytes = new TextEncoder().encode(`${JSON.stringify(report)}\n`);
  return { bytes, sessions: report.sessions, boundaries: report.boundaries.length, skipped: report.skipped };
}
