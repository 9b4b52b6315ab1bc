import type { GenericSchema, InferOutput } from 'valibot';

/** The values that a schema accepts, deeply read-only. */
export type Parsed<Schema extends GenericSchema> = Unchanged<InferOutput<Schema>>;

type Unchanged<T> = T extends object ? { readonly [Key in keyof T]: Unchanged<T[Key]> } : T;
