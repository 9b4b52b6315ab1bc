import { LocalizableError, localizable } from '../engine/wording/localizable-text';

/** Settles as `work` does, or rejects after this time. The process keeps running meanwhile. */
export async function inTime<T>(work: Promise<T>, waitMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new LocalizableError(localizable('no answer within {0} s', Math.round(waitMs / 1000))));
    }, waitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
