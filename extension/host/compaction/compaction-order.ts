import { type OrderChoices, orderFrom } from '../../conversations/compaction/settings';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import type { Inspection } from '../../inspection/inspection';
import type { Trigger } from '../models/model-access';
import { readSettings } from '../settings';

interface SettingsOrder extends OrderChoices {
  readonly strategy: string;
  /** Blank: none. */
  readonly instructions: string;
  readonly trigger: Trigger;
}

/** Determines a compaction from the person's settings, without carrying it out. */
export function prepareAsSet(inspection: Inspection, { instructions, ...order }: SettingsOrder): Promise<PreparedRun> {
  const wanted = instructions.trim() === '' ? null : instructions;
  return inspection.prepare(orderFrom(readSettings(), { ...order, instructions: wanted }));
}
