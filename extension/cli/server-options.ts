import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import type { AutomationOptions } from '../conversations/compaction/settings';
import { CompactingThreads } from '../conversations/threads/compacting-threads';
import { defaultStrategy } from '../engine/run/prepare/registry';
import type { Upstreams } from '../gateway/address';
import { assumedContextWindow, contextWindowOf } from '../sessions/model-windows';
import { aboveZero, positive, share } from './commands/option-values';

/** Options that both servers have. */
export interface ServerOptions {
  readonly port: number;
  readonly openai?: string;
  readonly anthropic?: string;
  readonly window?: number;
  readonly strategy: string;
  readonly autoCompact: boolean;
  readonly schedule: 'cost' | 'size';
  readonly smallestTarget?: number;
  readonly prepareAt?: number;
  readonly json?: boolean;
}

export function upstreamOptions(command: Command): Command {
  return command
    .option('--openai <url>', 'address for requests in OpenAI’s formats, with /v1')
    .option('--anthropic <url>', 'address for requests in Anthropic’s format')
    .option('--window <tokens>', 'context window of every model; by default the known window of each', positive)
    .option('--strategy <name>', 'how to compact; `strata strategies` lists all strategies', defaultStrategy);
}

export function automationOptions(command: Command): Command {
  return command
    .option('--no-auto-compact', 'turn automatic compaction off')
    .addOption(
      new Option('--schedule <kind>', 'compact when it pays, where prices are known, or by the size of the context')
        .choices(['cost', 'size'])
        .default('cost'),
    )
    .option(
      '--smallest-target <size>',
      'smallest size that a compaction by cost leaves; by default the strategy’s target',
      aboveZero,
    )
    .option(
      '--prepare-at <share>',
      'write the next compaction between requests once the context has passed this share of the size at which it is compacted; written by --summarizer, or else by the model of the requests',
      share,
    );
}

export function upstreamsFrom({ openai, anthropic }: ServerOptions): Partial<Upstreams> {
  return { ...(openai ? { openai } : {}), ...(anthropic ? { anthropic } : {}) };
}

/** In tokens: one window for every model, or the known one of each. */
export function windowFrom({ window }: ServerOptions): number | ((model: string) => number) {
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
  return {
    ...{ enabled: autoCompact, schedule },
    ...(smallestTarget === undefined ? {} : { smallestTarget }),
    ...(prepareAt === undefined ? {} : { prepareAt }),
  };
}
