import * as v from 'valibot';

/*
 * Schemas for JSON that other programs wrote. They accept any value and never fail: a value of the wrong type counts as
 * absent, field by field, so that one wrong field does not spoil its record. Import them as `s`.
 *
 * Only fields that a schema names are read, into a new object, so a field called `__proto__` has no effect, and an
 * inherited function is a value of the wrong type. No schema recurses, so deep nesting costs nothing. `anything`, `list`
 * and `jsonRecord` hand on the parsed value itself: no copy, and nothing inside it is checked.
 */

export type Tolerant<Output = unknown> = v.GenericSchema<unknown, Output>;

/** The fields that a schema reads. */
export type Read<Schema extends Tolerant> = Readonly<v.InferOutput<Schema>>;

export type JsonRecord = Readonly<Record<string, unknown>>;

export function read<Schema extends Tolerant>(schema: Schema, value: unknown): Read<Schema> {
  return v.parse(schema, value);
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text that is not empty; null if absent. */
export const name = v.fallback(v.nullable(v.pipe(v.string(), v.nonEmpty())), null);

/** '' if absent. */
export const text = v.fallback(v.string(), '');

/** May be empty; null if absent. */
export const textOrNull = v.fallback(v.nullable(v.string()), null);

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

/** A number of tokens, bytes or entries: finite and not negative; null if absent. */
export const count = v.fallback(v.nullable(amount), null);

/** 0 if absent. */
export const countOrZero = v.fallback(amount, 0);

/** False if absent. */
export const flag = v.fallback(v.boolean(), false);

/** Any value, undefined if absent; unlike the other fields, null stays null. */
export const anything = v.optional(v.unknown());

/** Items of any kind; empty if absent. */
export const list = v.fallback(v.custom<readonly unknown[]>(Array.isArray), []);

/** The texts of a list; other items are left out. */
export const texts = itemsOf((item): item is string => typeof item === 'string');

/** A record with all its fields, for whoever writes it again; null if absent. */
export const jsonRecord = v.fallback(v.nullable(v.custom<JsonRecord>(isRecord)), null);

/** The records of a list, with all their fields; other items are left out. */
export const jsonRecords = itemsOf(isRecord);

/** One of these texts; null if absent. */
export function oneOf<const Option extends string>(options: readonly Option[]) {
  return v.fallback(v.nullable(v.picklist(options)), null);
}

/** These fields of a record; if absent, those of an empty record. */
export function record<Shape extends v.ObjectEntries>(shape: Shape) {
  const fields = v.object(shape);
  return v.fallback(v.pipe(v.custom<JsonRecord>(isRecord), fields), () => v.parse(fields, {}));
}

/** These fields of a record; null if absent. */
export function optionalRecord<Shape extends v.ObjectEntries>(shape: Shape) {
  return v.fallback(v.nullable(v.pipe(v.custom<JsonRecord>(isRecord), v.object(shape))), null);
}

/** These fields of each record of a list; other items are left out. */
export function records<Shape extends v.ObjectEntries>(shape: Shape) {
  const fields = v.object(shape);
  return v.fallback(
    v.pipe(
      jsonRecords,
      v.transform((items) => items.map((item) => v.parse(fields, item))),
    ),
    () => [],
  );
}

function itemsOf<Item>(fits: (item: unknown) => item is Item) {
  return v.fallback(
    v.pipe(
      list,
      v.transform((items) => items.filter(fits)),
    ),
    () => [],
  );
}
