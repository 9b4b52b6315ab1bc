import { once } from 'node:events';

let signal: AbortSignal | undefined;

/** Aborts on Ctrl+C; one signal for the whole process. Files that are already written stay complete. */
export function interruptSignal(): AbortSignal {
  signal ??= abortedByInterrupt();
  return signal;
}

function abortedByInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('interrupted')));
  return controller.signal;
}

/** Aborts at Ctrl+C, or at the signal by which containers and services stop a process. A second signal ends the process at once. */
export function endSignal(): AbortSignal {
  const terminated = new AbortController();
  process.once('SIGTERM', () => terminated.abort());
  return AbortSignal.any([interruptSignal(), terminated.signal]);
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
