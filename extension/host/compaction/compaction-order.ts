import type { WritingTools } from '../../engine/block/strategy';
import type { ContextRange } from '../../engine/compaction/range';
import type { PreparedRun } from '../../engine/run/prepared-run';
import type { RunProgress } from '../../engine/run/run';
import type { Inspection } from '../../inspection/inspection';
import type { Trigger } from '../models/model-access';
import { readSettings } from '../settings';

export interface Asked {
  readonly strategy: string;
  /** Blank: none. */
  readonly instructions: string;
  readonly trigger: Trigger;
  /** It has to be now: the next request would not fit. */
  readonly isDue?: boolean;
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  readonly range?: ContextRange;
}

/** Works out a compaction as the person's settings want it, without carrying it out. */
export function prepareAsSet(inspection: Inspection, asked: Asked): Promise<PreparedRun> {
  const { parameters, verification, automation } = readSettings();
  const { instructions, trigger, isDue = false } = asked;
  return inspection.prepare({
    ...asked,
    instructions: instructions.trim() === '' ? null : instructions,
    parameters,
    verification,
    floorTokens: trigger === 'manual' || isDue ? 0 : automation.floorTokens,
  });
}
