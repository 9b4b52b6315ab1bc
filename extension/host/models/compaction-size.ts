import { expectedWriting } from '../../engine/run/prepare/run-sizes';
import type { WritingSize } from '../../inside/writers/terms';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { prepareAsSet } from '../compaction/compaction-order';
import type { Inspector } from '../inspector';
import { readSettings } from '../settings';

/** In milliseconds. The picker opens without the size if it takes longer. */
const patience = 3_000;

/** What a compaction of the open session would send to a model at most; null if that is not known. */
export async function compactionSize({ inspection, log }: Inspector): Promise<WritingSize | null> {
  if (!inspection) return null;
  try {
    const { strategy } = readSettings();
    const signal = AbortSignal.timeout(patience);
    const order = { strategy, instructions: '', trigger: 'manual', tools: toolsWithoutModel, signal } as const;
    const size = expectedWriting(await prepareAsSet(inspection, order));
    return size.sent === 0 ? null : { of: 'compaction', ...size };
  } catch (error) {
    log.warn(`What a compaction would send was not worked out: ${error}`);
    return null;
  }
}
