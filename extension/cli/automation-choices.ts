import type { Command } from 'commander';
import type { AutomationOptions } from '../conversations/compaction/settings';
import { CommandFailed } from './command-failed';

/** The options of a server about automatic compaction. */
export interface AutomationChoices {
  readonly autoCompact: boolean;
  readonly schedule: string;
  readonly smallestTarget?: string;
  readonly prepareAt?: string;
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
    )
    .option(
      '--prepare-at <share>',
      'have the model write between requests from this share of the size at which the context is compacted, so that none waits; without --summarizer the requests’ own model',
    );
}

export function automationFrom({
  autoCompact,
  schedule,
  smallestTarget,
  prepareAt,
}: AutomationChoices): Partial<AutomationOptions> {
  if (schedule !== 'cost' && schedule !== 'size') throw new CommandFailed('--schedule must be cost or size', true);
  return {
    ...{ enabled: autoCompact, schedule },
    ...(smallestTarget === undefined ? {} : { smallestTarget: sizeFrom(smallestTarget) }),
    ...(prepareAt === undefined ? {} : { prepareAt: shareFrom(prepareAt) }),
  };
}

function sizeFrom(text: string): number {
  const size = Number(text);
  if (size > 0) return size;
  throw new CommandFailed('--smallest-target must be a number above 0', true);
}

function shareFrom(text: string): number {
  const share = Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new CommandFailed('--prepare-at must be a number from 0 to 1', true);
}
