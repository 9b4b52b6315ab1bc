/** Milliseconds since the epoch; null if the timestamp is missing or is no date. */
export function millisecondsOf(timestamp: string | null | undefined): number | null {
  const time = Date.parse(timestamp ?? '');
  return Number.isNaN(time) ? null : time;
}
