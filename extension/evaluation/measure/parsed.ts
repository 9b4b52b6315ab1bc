import type { GenericSchema, InferOutput } from 'valibot';

/** What a schema describes, as a value that is never changed. */
export type Parsed<Schema extends GenericSchema> = Unchanged<InferOutput<Schema>>;

type Unchanged<T> = T extends object ? { readonly [Key in keyof T]: Unchanged<T[Key]> } : T;
