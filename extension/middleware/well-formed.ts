/**
 * The value without half surrogate pairs, which a session file can contain and no provider accepts; keys of objects are included. Values
 * without any are not copied.
 */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return isWellFormed(value) ? value : copied(value as object);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value) {
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function copied(value: object): object {
  if (Array.isArray(value)) return value.map((item) => wellFormed(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}
