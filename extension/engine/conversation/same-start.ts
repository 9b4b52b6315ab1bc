/** How many items two lists have in common from their start: those are the same objects in both. */
export function sameFromStart<T>(before: readonly T[], after: readonly T[]): number {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  return same;
}
