import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { AutomationOptions } from '../conversations/compaction/settings';
import { CompactingThreads } from '../conversations/threads/compacting-threads';
import { defaultStrategy } from '../engine/run/prepare/registry';
import type { Upstreams } from '../gateway/address';
import { assumedContextWindow, contextWindowOf } from '../sessions/model-windows';
import { CommandFailed } from './command-failed';
import { wholeNumber } from './commands/option-values';

/** Options that both servers have. */
export interface ServerOptions {
  readonly port: number;
  readonly openai?: string;
  readonly anthropic?: string;
  readonly window?: number;
  readonly strategy: string;
  readonly autoCompact: boolean;
  readonly schedule: string;
  readonly smallestTarget?: string;
  readonly prepareAt?: string;
  readonly json?: boolean;
}

export function upstreamOptions(command: Command): Command {
  return command
    .option('--openai <url>', 'address for requests in OpenAI’s formats, with /v1')
    .option('--anthropic <url>', 'address for requests in Anthropic’s format')
    .option('--window <tokens>', 'context window of every model; by default the known window of each', wholeNumber)
    .option('--strategy <name>', 'how to compact; `strata strategies` lists all strategies', defaultStrategy);
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

export function upstreamsFrom({ openai, anthropic }: ServerOptions): Partial<Upstreams> {
  return { ...(openai ? { openai } : {}), ...(anthropic ? { anthropic } : {}) };
}

/** In tokens: one window for every model, or the known one of each. */
export function windowFrom({ window }: ServerOptions): number | ((model: string) => number) {
  if (window === 0) throw new CommandFailed('--window must be a whole number above 0', true);
  return window ?? ((model) => contextWindowOf(model) ?? assumedContextWindow);
}

/** The build puts the threads' program next to the command line's bundle. */
export function compactingThreads(onNotice: (message: string) => void): CompactingThreads {
  return new CompactingThreads({
    program: fileURLToPath(new URL('./compacting-thread.js', import.meta.url)),
    onNotice,
  });
}

export function automationFrom({
  autoCompact,
  schedule,
  smallestTarget,
  prepareAt,
}: ServerOptions): Partial<AutomationOptions> {
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
