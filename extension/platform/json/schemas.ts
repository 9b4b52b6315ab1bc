/*
 * Schemas for JSON that other programs wrote. They accept any value and never fail: a value of the wrong type counts as
 * absent, field by field, so that one wrong field does not spoil its record. Import them as `s`.
 *
 * Only fields that a schema names are read, into a new object, so a field called `__proto__` has no effect, and an
 * inherited function is a value of the wrong type. No schema recurses, so deep nesting costs nothing. `anything`,
 * `list` and `jsonRecord` return the parsed value itself, without a copy and without checking its content.
 */

/** A schema is a function that reads a value; its result for undefined stands for an absent value. */
export type Tolerant<Output = unknown> = (value: unknown) => Output;

/** The fields that a schema reads. */
export type Read<Schema extends Tolerant> = Readonly<ReturnType<Schema>>;

export type JsonRecord = Readonly<Record<string, unknown>>;

type Shape = Readonly<Record<string, Tolerant>>;

type Fields<Of extends Shape> = { [Name in keyof Of]: ReturnType<Of[Name]> };

export function read<Output>(schema: Tolerant<Output>, value: unknown): Readonly<Output> {
  return schema(value);
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text that is not empty; null if absent. */
export function name(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** '' if absent. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** May be empty; null if absent. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A number of tokens, bytes or entries: finite and not negative; null if absent. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** 0 if absent. */
export function countOrZero(value: unknown): number {
  return count(value) ?? 0;
}

/** False if absent. */
export function flag(value: unknown): boolean {
  return value === true;
}

/** Any value, undefined if absent; unlike the other fields, null stays null. */
export function anything(value: unknown): unknown {
  return value;
}

/** Items of any kind; empty if absent. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list; other items are left out. */
export function texts(value: unknown): string[] {
  return list(value).filter((item) => typeof item === 'string');
}

/** A record with all its fields, for writing it back; null if absent. */
export function jsonRecord(value: unknown): JsonRecord | null {
  return isRecord(value) ? value : null;
}

/** The records of a list, with all their fields; other items are left out. */
export function jsonRecords(value: unknown): JsonRecord[] {
  return list(value).filter(isRecord);
}

/** One of these texts; null if absent. */
export function oneOf<const Option extends string>(options: readonly Option[]): Tolerant<Option | null> {
  return (value) => options.find((option) => option === value) ?? null;
}

/** These fields of a record; if absent, those of an empty record. */
export function record<Of extends Shape>(shape: Of): Tolerant<Fields<Of>> {
  const fields = fieldsOf(shape);
  return (value) => fields(isRecord(value) ? value : {});
}

/** These fields of a record; null if absent. */
export function optionalRecord<Of extends Shape>(shape: Of): Tolerant<Fields<Of> | null> {
  const fields = fieldsOf(shape);
  return (value) => (isRecord(value) ? fields(value) : null);
}

/** These fields of each record of a list; other items are left out. */
export function records<Of extends Shape>(shape: Of): Tolerant<Fields<Of>[]> {
  const fields = fieldsOf(shape);
  return (value) => jsonRecords(value).map(fields);
}

function fieldsOf<Of extends Shape>(shape: Of): (value: JsonRecord) => Fields<Of> {
  const absent: Record<string, unknown> = {};
  // Records, because destructuring a pair is slow in code that is not compiled yet.
  const schemas = Object.entries(shape).map(([name, schema]) => {
    absent[name] = schema(undefined);
    return { name, schema, isShared: typeof absent[name] !== 'object' || absent[name] === null };
  });
  return (value) => {
    // Most fields are absent, and copying an object takes less time than adding its fields one by one.
    const fields = { ...absent };
    for (const { name, schema, isShared } of schemas) {
      const given = value[name];
      if (given !== undefined || !isShared) fields[name] = schema(given);
    }
    return fields as Fields<Of>;
  };
}
