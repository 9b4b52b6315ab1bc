import { type WritingSize, writingSize } from '../../inside/writers/terms';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { prepareAsSet } from '../compaction/compaction-order';
import type { Inspector } from '../inspector';
import { readSettings } from '../settings';

/** In milliseconds. The picker opens without the size if it takes longer. */
const pickerPatience = 3_000;
/** The question in the preview stands beside a run that takes as long. */
export const previewPatience = 20_000;

/** Upper bound of what a compaction of the open session would send to a model; null if not known within `patience`. */
export async function compactionSize(
  { inspection, log }: Pick<Inspector, 'inspection' | 'log'>,
  { patience = pickerPatience, instructions = '' } = {},
): Promise<WritingSize | null> {
  if (!inspection) return null;
  try {
    const { strategy } = readSettings();
    const signal = AbortSignal.timeout(patience);
    const order = { strategy, instructions, trigger: 'manual', tools: toolsWithoutModel, signal } as const;
    return writingSize(await prepareAsSet(inspection, { ...order, sizedForModel: true }));
  } catch (error) {
    log.warn(`What a compaction would send was not worked out: ${error}`);
    return null;
  }
}
