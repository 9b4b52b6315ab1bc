import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { openSession } from '../../extension/sessions/open';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';

/** A real, long session that its agent has compacted once. */
const file = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');

/** Opens a session, or a copy of it, with its journal in this folder. Default: a new folder. */
export async function inspectSample(
  journals?: string,
  copy = file,
): Promise<{ inspection: Inspection; journals: string }> {
  const outcome = await openSession(copy);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const folder = journals ?? (await mkdtemp(join(tmpdir(), 'strata-')));
  return {
    inspection: await Inspection.of(outcome.session, await openJournal(folder, identityOf(outcome.session))),
    journals: folder,
  };
}

function identityOf({ agent, id, file }: Inspection['session']) {
  return { agent, id, file };
}

export function prepareSample(inspection: Inspection, strategy = 'pipeline', parameters = {}) {
  return inspection.prepare({
    strategy,
    instructions: null,
    parameters,
    tools: toolsWithoutModel,
    signal: new AbortController().signal,
  });
}
