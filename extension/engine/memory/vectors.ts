/** Normalises to length one, so that the dot product of two vectors is their cosine. A zero vector stays as it is. */
export function unitVector(vector: readonly number[]): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Float64Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

/** The cosine of two unit vectors. */
export function cosine(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
