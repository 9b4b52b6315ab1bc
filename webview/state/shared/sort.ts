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
