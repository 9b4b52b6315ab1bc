/**
 * An operation that cannot be carried out. Nothing has changed. `sentence` is English and complete, with `{0}`, `{1}` … for
 * the values; the host translates it, and a test checks that translators get it. The message has the values filled in.
 */
export class OperationRefused extends Error {
  override name = 'OperationRefused';

  constructor(
    readonly sentence: string,
    readonly values: readonly (string | number)[] = [],
    options?: ErrorOptions,
  ) {
    super(
      sentence.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole)),
      options,
    );
  }
}

/** Marks a sentence that becomes a refusal somewhere else, so that it is collected for translators. */
export function refusalSentence<const T extends string>(sentence: T): T {
  return sentence;
}
