/**
 * The weights times a factor, as whole numbers: the sum of any first n is the rounded exact sum, so each is within 1 of
 * its exact share. `before`: sum of the weights that precede these.
 */
export function wholeShares(weights: readonly number[], factor: number, before = 0): number[] {
  const shares: number[] = [];
  let above = before;
  let given = Math.round(above * factor);
  for (const weight of weights) {
    above += weight;
    const share = Math.round(above * factor) - given;
    given += share;
    shares.push(share);
  }
  return shares;
}

/** A whole number of tokens divided in proportion to the weights. Without any weight, the first gets all of it. */
export function divided(tokens: number, weights: readonly number[]): number[] {
  if (weights.length === 1) return [tokens];
  const total = sum(weights);
  if (total === 0) return weights.map((_, index) => (index === 0 ? tokens : 0));
  return wholeShares(weights, tokens / total);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
