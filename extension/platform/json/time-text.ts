/** Milliseconds since the epoch as ISO 8601; null if the value is not a time. */
export function timeText(value: unknown): string | null {
  // The maximum time of a Date.
  if (typeof value !== 'number' || !(Math.abs(value) <= 8.64e15)) return null;
  return new Date(value).toISOString();
}
