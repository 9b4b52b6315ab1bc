/** One way to keep what is needed, at one boundary. */
export interface Row {
  readonly boundary: string;
  readonly way: string;
  /** Null if too few names were needed. */
  readonly recall: number | null;
  /** The same with the names in the contents of files that are written later. */
  readonly recallToWrite: number | null;
  readonly tokens: number;
}

/** Prints medians and lower quartiles for each way; with `each`, first every boundary. */
export function printTable(title: string, rows: readonly Row[], { each }: { readonly each: boolean }): void {
  const lines = [...grouped(rows, (row) => row.way)].map(([way, ofWay]) => summaryLine(way, ofWay));
  console.log([title, ...(each ? eachLine(rows) : []), ...lines].join('\n'));
}

function eachLine(rows: readonly Row[]): string[] {
  return [...grouped(rows, (row) => row.boundary)].flatMap(([boundary, ofBoundary]) => [
    boundary,
    ...ofBoundary.map(
      ({ way, recall, recallToWrite, tokens }) =>
        `  ${way.padEnd(44)} ${percent(recall)} (${percent(recallToWrite)}) in ${tokens} tokens`,
    ),
  ]);
}

/** Covers only the boundaries at which enough names were needed. */
function summaryLine(way: string, rows: readonly Row[]): string {
  const telling = rows.filter(({ recall }) => recall !== null);
  const [all, written] = [
    telling.flatMap((row) => row.recall ?? []),
    telling.flatMap((row) => row.recallToWrite ?? []),
  ];
  const tokens = Math.round(
    quantile(
      telling.map((row) => row.tokens),
      0.5,
    ) ?? 0,
  );
  return `${way.padEnd(46)} ${quartiles(all)} (${quartiles(written)}), ${tokens} tokens, ${all.length} boundaries`;
}

function quartiles(recalls: readonly number[]): string {
  return `median ${percent(quantile(recalls, 0.5))}, lower quartile ${percent(quantile(recalls, 0.25))}`;
}

function grouped<K>(rows: readonly Row[], keyOf: (row: Row) => K): Map<K, Row[]> {
  const groups = new Map<K, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function percent(share: number | null): string {
  return share === null ? '   –' : `${(share * 100).toFixed(0).padStart(3)} %`;
}

/** Interpolates between the two nearest values. */
export function quantile(values: readonly number[], at: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * at;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (low === undefined || high === undefined) return null;
  return low + (high - low) * (place - Math.floor(place));
}
