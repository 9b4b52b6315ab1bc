import type { Command } from 'commander';
import type { AutomationOptions } from '../conversations/compaction/settings';
import { CommandFailed } from './command-failed';

/** The options of a server about automatic compaction. */
export interface AutomationChoices {
  readonly autoCompact: boolean;
  readonly schedule: string;
  readonly smallestTarget?: string;
}

export function automationOptions(command: Command): Command {
  return command
    .option('--no-auto-compact', 'turn automatic compaction off')
    .option(
      '--schedule <cost|size>',
      'compact when it pays, where prices are known, or by the size of the context',
      'cost',
    )
    .option(
      '--smallest-target <size>',
      'smallest size that a compaction by cost leaves; by default the strategy’s target',
    );
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
