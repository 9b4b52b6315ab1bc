/** Settles with the promise, or rejects on abort, because not every cancellable operation stops at once. */
export function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).then(() => signal.removeEventListener('abort', onAbort));
  });
}
