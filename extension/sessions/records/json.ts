import { isRecord, type JsonRecord } from './schemas';

/** Readers of single values; they give way to the schemas of `schemas.ts`. */
export type { JsonRecord } from './schemas';

export function asRecord(value: unknown): JsonRecord | null {
  return isRecord(value) ? value : null;
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
