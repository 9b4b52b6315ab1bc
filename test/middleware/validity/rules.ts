import type * as s from '../../../extension/platform/json/schemas';

export function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

export function isBase64(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

export function unknownFields(record: s.JsonRecord, known: readonly string[]): string[] {
  return Object.keys(record)
    .filter((name) => !known.includes(name))
    .map((name) => `has the unknown field ${name}`);
}
