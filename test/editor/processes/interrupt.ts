import { constants } from 'node:os';

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const PARENT_CHECK_INTERVAL_MS = 1_000;

/**
 * Turns an interrupt into a normal exit. A process that a signal ends skips its `exit` listeners, which remove
 * temporary folders and end child processes. The exit waits for the signal's other listeners.
 */
export function exitOnInterrupt(): void {
  for (const signal of INTERRUPTS) {
    process.once(signal, () => setImmediate(() => process.exit(128 + constants.signals[signal])));
  }
}

/**
 * Resolves on Ctrl+C, when the process is asked to end, and when its parent has ended. A killed npm does not pass the
 * signal on to the program that its shell runs. Standard input shows nothing if there is none, as for a process in the
 * background.
 */
export function interrupted(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    for (const signal of INTERRUPTS) process.once(signal, () => resolve());
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      resolve();
    }, PARENT_CHECK_INTERVAL_MS);
    watch.unref();
  });
}
