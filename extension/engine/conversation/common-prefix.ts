/** The number of leading items that are identical objects in both lists. */
export function commonPrefixLength<T>(before: readonly T[], after: readonly T[]): number {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  return same;
}
