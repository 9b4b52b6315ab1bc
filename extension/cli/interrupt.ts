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
