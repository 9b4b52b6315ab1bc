interface LinePoint {
  readonly tokens: number;
  /** This point is always kept. */
  readonly isMarked: boolean;
}

/**
 * Reduces a line to about `maxPoints` points, in order: the first, the last and all marked points stay, and of each group of
 * other points the highest. Linear in the number of points.
 */
export function thinOut<Point extends LinePoint>(points: readonly Point[], maxPoints: number): readonly Point[] {
  if (points.length <= maxPoints) return points;
  const stays = ({ isMarked }: Point, index: number) => isMarked || index === 0 || index === points.length - 1;
  const fixed = points.filter(stays).length;
  const groupSize = Math.ceil((points.length - fixed) / Math.max(minGroups, maxPoints - fixed));
  const kept = new Set<Point>();
  let others: Point[] = [];
  const keepHighest = () => {
    const [first, ...rest] = others;
    if (first) kept.add(rest.reduce((highest, point) => (point.tokens > highest.tokens ? point : highest), first));
    others = [];
  };
  for (const [index, point] of points.entries()) {
    if (stays(point, index)) kept.add(point);
    else others.push(point);
    if (others.length === groupSize) keepHighest();
  }
  keepHighest();
  return points.filter((point) => kept.has(point));
}

/** The line keeps a shape between the marked points of a session with very many compactions. */
const minGroups = 100;
