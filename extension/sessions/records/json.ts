/**
 * Readers for values out of a file that somebody else wrote: each takes anything and gives the type asked for or
 * nothing. What they read is an own or inherited property of a parsed object, so an inherited function never passes.
 */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Text that says something: empty strings count as absent. */
export function asName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asTexts(value: unknown): string[] {
  return asList(value).filter((item): item is string => typeof item === 'string');
}

export function asRecords(value: unknown): JsonRecord[] {
  return asList(value)
    .map(asRecord)
    .filter((item) => item !== null);
}

/** A number of tokens, bytes or entries: finite and not negative. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
