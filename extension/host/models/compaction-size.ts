import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { expectedWriting } from '../../engine/run/prepare/run-sizes';
import type { WritingSize } from '../../inside/writers/terms';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { prepareAsSet } from '../compaction/compaction-order';
import type { Inspector } from '../inspector';
import { readSettings } from '../settings';

/** In milliseconds. The picker opens without the size if it takes longer. */
const pickerPatience = 3_000;
/** The question in the preview stands beside a run that takes as long. */
export const previewPatience = 20_000;

/** What a compaction of the open session would send to a model at most; null if that is not known within `patience`. */
export async function compactionSize(
  { inspection, log }: Inspector,
  patience = pickerPatience,
): Promise<WritingSize | null> {
  if (!inspection) return null;
  try {
    const { strategy } = readSettings();
    const signal = AbortSignal.timeout(patience);
    const order = { strategy, instructions: '', trigger: 'manual', tools: toolsWithoutModel, signal } as const;
    return sizeOfRun(await prepareAsSet(inspection, { ...order, sizedForModel: true }));
  } catch (error) {
    log.warn(`What a compaction would send was not worked out: ${error}`);
    return null;
  }
}

/** What a model would read and write for a run that was prepared without one; null if nothing. */
export function sizeOfRun(run: PreparedRun): WritingSize | null {
  const size = expectedWriting(run);
  return size.sent === 0 ? null : { of: 'compaction', ...size };
}
