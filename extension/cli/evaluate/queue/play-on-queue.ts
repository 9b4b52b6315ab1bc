import type { RunOutcome } from '../../../evaluation/run-evaluation';
import { CommandFailed } from '../../command-failed';
import type { EvaluateOptions } from '../options';
import type { QueuedEvaluation } from './queued-evaluation';

/** The queue's engine is loaded only where it is used. */
export async function playOnQueue(address: string, evaluation: QueuedEvaluation): Promise<RunOutcome> {
  const [{ RunQueue }, { evaluateOnQueue }] = await Promise.all([import('./run-queue'), import('./queued-evaluation')]);
  // What goes wrong between two questions shows in the next one.
  const queue = await RunQueue.open(address, () => undefined);
  try {
    return await evaluateOnQueue(queue, evaluation);
  } finally {
    await queue.close();
  }
}

/** Throws `CommandFailed` for options that a queue leaves to its workers, or cannot share. */
export function refuseWithQueue(options: EvaluateOptions): void {
  if (options.queue === undefined) return;
  const unsupported = ['shard', 'jobs', 'budgetTokens'] as const;
  const given = unsupported.find((key) => options[key] !== undefined);
  if (given === undefined) return;
  const name = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new CommandFailed(`--queue shares the units of a run between workers, so it does not go with --${name}`, true);
}
