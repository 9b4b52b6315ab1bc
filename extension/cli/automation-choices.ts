import type { AutomationOptions } from '../conversations/compaction/settings';
import { CommandFailed } from './command-failed';

/** The options of a server about automatic compaction. */
export interface AutomationChoices {
  readonly autoCompact: boolean;
  readonly schedule: string;
  readonly smallestTarget?: string;
}

export function automationFrom({
  autoCompact,
  schedule,
  smallestTarget,
}: AutomationChoices): Partial<AutomationOptions> {
  if (schedule !== 'cost' && schedule !== 'size') throw new CommandFailed('--schedule must be cost or size', true);
  if (smallestTarget === undefined) return { enabled: autoCompact, schedule };
  const size = Number(smallestTarget);
  if (!(size > 0)) throw new CommandFailed('--smallest-target must be a number above 0', true);
  return { enabled: autoCompact, schedule, smallestTarget: size };
}
