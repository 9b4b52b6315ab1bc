export interface LinePoint {
  readonly tokens: number;
  /** Must stay, whatever is thinned out. */
  readonly isOfMark: boolean;
}

/**
 * About as many points as a chart can show: those of the marks, the first and the last, and of each stretch of the
 * others the highest. In their order; time linear in the points.
 */
export function thinned<Point extends LinePoint>(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const stays = ({ isOfMark }: Point, index: number) => isOfMark || index === 0 || index === points.length - 1;
  const fixed = points.filter(stays).length;
  const stretch = Math.ceil((points.length - fixed) / Math.max(fewestStretches, most - fixed));
  const kept = new Set<Point>();
  let others: Point[] = [];
  const takeHighest = () => {
    const [first, ...rest] = others;
    if (first) kept.add(rest.reduce((highest, point) => (point.tokens > highest.tokens ? point : highest), first));
    others = [];
  };
  for (const [index, point] of points.entries()) {
    if (stays(point, index)) kept.add(point);
    else others.push(point);
    if (others.length === stretch) takeHighest();
  }
  takeHighest();
  return points.filter((point) => kept.has(point));
}

/** Between the marks of a session with very many compactions the line still has a shape. */
const fewestStretches = 100;
