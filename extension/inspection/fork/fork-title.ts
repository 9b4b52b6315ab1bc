/** In UTF-16 units. */
const longest = 60;
const numbered = /^(.*) \(fork(?: (\d+))?\)$/su;

/** The title of a fork: that of its original with a mark, which counts where the original is a fork itself. */
export function forkTitle(title: string | null): string {
  const found = numbered.exec(title ?? '');
  const number = found === null ? 1 : Number(found[2] ?? 1) + 1;
  const base = (found?.[1] ?? title ?? '').slice(0, longest).toWellFormed().trim();
  const mark = number === 1 ? '(fork)' : `(fork ${number})`;
  return base === '' ? mark : `${base} ${mark}`;
}
