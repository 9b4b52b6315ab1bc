/** How a table is sorted. */
export interface Sort<Column> {
  readonly column: Column;
  readonly direction: 'ascending' | 'descending';
}

/** The sort after a click on the head of a column: in the `first` direction, then reversed, then the original order. */
export function nextSort<Column>(
  sort: Sort<Column> | null,
  column: Column,
  first: Sort<Column>['direction'],
): Sort<Column> | null {
  if (sort?.column !== column) return { column, direction: first };
  if (sort.direction !== first) return null;
  return { column, direction: first === 'ascending' ? 'descending' : 'ascending' };
}

/** The value of `aria-sort` for the head of a column. */
export function directionOf<Column>(sort: Sort<Column> | null, column: Column): Sort<Column>['direction'] | 'none' {
  return sort?.column === column ? sort.direction : 'none';
}

/** Lines by a text or a number in the direction of the sort. Lines without a value come last in both directions. */
export function sortedBy<Line, Column>(
  lines: readonly Line[],
  { direction }: Sort<Column>,
  valueIn: (line: Line) => string | number | null,
): readonly Line[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return lines.toSorted((a, b) => {
    const [one, other] = [valueIn(a), valueIn(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (typeof one === 'string' ? one.localeCompare(String(other)) : one - Number(other));
  });
}
