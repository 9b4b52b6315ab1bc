import { rm } from 'node:fs/promises';
import * as v from 'valibot';
import { type PortableRun, portableRun } from '../engine/run/portable-run';
import type { PreparedRun } from '../engine/run/prepared-run';
import { type Inspection, OperationRefused } from '../inspection/inspection';
import type { SessionJournal } from '../inspection/journal-file';
import { readPrivate, writePrivate } from './private-file';

const preparedFile = v.object({
  version: v.literal(1),
  /** A `PortableRun`. It names messages and journal records, which are checked when it is taken up. */
  run: v.custom<PortableRun>(isRun),
});

/** Keeps a prepared run next to the journal. The agent's next compaction carries it out, in whichever process. */
export async function keepPrepared({ journal }: Pick<Inspection, 'journal'>, run: PreparedRun): Promise<void> {
  if (run.records.length === 0) return await forgetPrepared(journal);
  await writePrivate(preparedPath(journal), { version: 1, run: portableRun(run) });
}

/** The kept run, if it still fits conversation and journal. */
export async function keptPrepared(inspection: Inspection): Promise<PreparedRun | null> {
  const kept = await readPrivate(preparedPath(inspection.journal), preparedFile);
  if (kept === null) return null;
  try {
    return inspection.takeUp(kept.run);
  } catch (error) {
    if (error instanceof OperationRefused) return null;
    throw error;
  }
}

export async function forgetPrepared(journal: SessionJournal): Promise<void> {
  await rm(preparedPath(journal), { force: true });
}

function preparedPath({ path }: SessionJournal): string {
  return `${path.replace(/\.jsonl$/, '')}.prepared.json`;
}

function isRun(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'records' in value && 'plans' in value && 'strategy' in value;
}
