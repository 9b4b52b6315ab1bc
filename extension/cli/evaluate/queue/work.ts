import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandFailed } from '../../command-failed';
import { endSignal } from '../../interrupt';
import { writingToolsFrom } from '../../models';
import { warn } from '../../output';
import type { EvaluateOptions } from '../options';
import { errorText, RunQueue } from './run-queue';
import { Worker } from './worker';

export interface WorkOptions extends EvaluateOptions {
  readonly untilEmpty?: boolean;
}

/** In milliseconds. */
const betweenLooks = 1000;

/** Plays units of the runs on a queue until it is told to stop, and then finishes the units in progress. */
export async function work(options: WorkOptions): Promise<void> {
  const { queue: address, jobs, untilEmpty = false } = options;
  if (address === undefined) throw new CommandFailed('work needs --queue with the address of a database', true);
  const writing = writingToolsFrom(options);
  const end = endSignal();
  const warned = new Set<string>();
  const warnOnce = (message: string) => {
    if (!warned.has(message)) warn(message);
    warned.add(message);
  };
  const away = (error: Error) =>
    warnOnce(`the queue cannot be reached: ${errorText(error)}; trying again until it is back`);
  const queue = await RunQueue.open(address, away);
  const worker = new Worker(queue, writing, {
    concurrency: jobs ?? null,
    sessions: options.sessions === undefined ? null : resolve(options.sessions),
    onNotice: warnOnce,
  });
  try {
    while (!end.aborted && !worker.hasGivenUp) {
      const runs = await queue.runs().catch(away);
      if (runs) await worker.follow(runs);
      if (runs && untilEmpty && worker.isIdle) break;
      await delay(betweenLooks, undefined, { signal: end }).catch(() => undefined);
    }
  } finally {
    await worker.close();
  }
  process.stderr.write(`${worker.played} units played\n`);
  if (worker.hasGivenUp) throw new CommandFailed(`three units failed one after the other: ${worker.lastFailure}`);
}
