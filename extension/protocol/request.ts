import * as v from 'valibot';

/** One request of the webview: the schema of its parameters, and the type of its result. */
interface Request<Params, Result> {
  readonly params: v.GenericSchema<unknown, Params>;
  /** Only a type: results come from the host, which is trusted. */
  readonly result?: Result | undefined;
}

/**
 * Types check both sides at build time. The schema checks the parameters again at run time, because a webview shows
 * untrusted content. Without `_result`, the result is null.
 */
export function request<Params extends v.ObjectEntries, Result = null>(
  params: Params,
  _result?: Request<unknown, Result>['result'],
): Request<v.InferOutput<v.StrictObjectSchema<Params, undefined>>, Result> {
  return { params: v.strictObject(params) };
}

/** The type of a request's result. */
export function result<Result>(): Result | undefined {
  return undefined;
}

export type RequestsOf<Table> = {
  readonly [M in keyof Table]: Table[M] extends Request<infer Params, infer Result>
    ? { readonly params: Params; readonly result: Result }
    : never;
};

export function texts() {
  return v.pipe(v.array(v.string()), v.readonly());
}

export function wholeNumber() {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(0));
}
