/** The marks of two readers for the same item. */
export type Pair<T> = readonly [T, T];

/**
 * Agreement beyond chance, from -1 to 1 (J. Cohen, 1960). `distance`: how far two marks are apart, 0 for equal ones;
 * for ordered marks, its square (J. Cohen, 1968). Null if both readers gave the same mark to everything.
 */
export function kappa<T>(
  pairs: readonly Pair<T>[],
  distance: (one: T, other: T) => number = (one, other) => Number(one !== other),
): number | null {
  const ones = pairs.map(([one]) => one);
  const others = pairs.map(([, other]) => other);
  const observed = mean(pairs.map(([one, other]) => distance(one, other)));
  const expected = mean(ones.flatMap((one) => others.map((other) => distance(one, other))));
  return expected === 0 ? null : 1 - observed / expected;
}

export function squared(one: number, other: number): number {
  return (one - other) ** 2;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
