import { constants } from 'node:os';

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Turns an interrupt into an ordinary exit, because a process that dies of a signal skips its `exit` listeners, which
 * remove temporary folders and end what is still running. The exit waits for the signal's other listeners.
 */
export function exitOnInterrupt(): void {
  for (const signal of INTERRUPTS) {
    process.once(signal, () => setImmediate(() => process.exit(128 + constants.signals[signal])));
  }
}

/** Resolves on Ctrl+C or when the process is asked to end. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of INTERRUPTS) process.once(signal, () => resolve());
  });
}
