/** Aborts on Ctrl+C; what is written already stays whole. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('interrupted')));
  return controller.signal;
}
