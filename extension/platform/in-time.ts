import { LocalizableError, localizable } from '../engine/wording/localizable-text';

/** Settles as `work` does, or rejects after this time. The work continues after that, and the timer keeps the process running. */
export async function inTime<T>(work: Promise<T>, waitMs: number, late = noAnswer): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(waitMs)), Math.max(0, waitMs));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function noAnswer(waitMs: number): Error {
  return new LocalizableError(localizable('no answer within {0} s', Math.round(waitMs / 1000)));
}
