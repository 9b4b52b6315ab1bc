import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import type { Inspection } from '../inspection/inspection';

type About = Pick<Inspection, 'session' | 'preparedFor' | 'storePrepared'>;

/** Keeps a run in the journal. The agent's next compaction carries it out, in whichever process. */
export async function keepPrepared(inspection: About, run: PreparedRun): Promise<void> {
  await inspection.storePrepared(run, inspection.session.model);
}

/** The kept run, if it still fits conversation and journal. */
export function keptPrepared(inspection: About, trigger: 'manual' | 'automatic' = 'manual'): PreparedRun | null {
  return inspection.preparedFor(inspection.session.model, trigger);
}
