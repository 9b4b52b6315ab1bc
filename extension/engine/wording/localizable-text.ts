/** A value of a localizable text. A nested text is translated as well. */
export type LocalizableValue = string | number | Amount | LocalizableText;

/** A number that is shown with a thousands separator, unlike a port or a line number. */
export interface Amount {
  readonly amount: number;
}

export function amount(value: number): Amount {
  return { amount: Math.round(value) };
}

export function isAmount(value: unknown): value is Amount {
  return typeof value === 'object' && value !== null && 'amount' in value;
}

/**
 * Text for the user. `text` is English with `{0}`, `{1}` … for the values. The host translates it, and a test collects
 * every such text for translators. Everywhere else, `String(…)` and JSON give the English text with its values.
 */
export class LocalizableText {
  constructor(
    readonly text: string,
    readonly values: readonly LocalizableValue[] = [],
  ) {}

  toString(): string {
    return this.text.replace(/\{(\d+)\}/g, (whole, index: string) => inEnglish(this.values[Number(index)] ?? whole));
  }

  toJSON(): string {
    return this.toString();
  }
}

function inEnglish(value: LocalizableValue): string {
  return isAmount(value) ? value.amount.toLocaleString('en') : String(value);
}

/** A localizable text. The text must be a literal, so that it can be collected for translators. */
export function localizable(text: string, ...values: readonly LocalizableValue[]): LocalizableText {
  return new LocalizableText(text, values);
}

/** Text from outside Strata, which is shown in every display language as it is. */
export function asLocalizable(text: string | LocalizableText): LocalizableText {
  return typeof text === 'string' ? new LocalizableText('{0}', [text]) : text;
}

/** Texts one after the other, with a space between them. */
export function joined(...texts: readonly LocalizableText[]): LocalizableText {
  return sequence(texts, ' ');
}

/** Texts in a list, with commas between them. */
export function listed(texts: readonly LocalizableText[]): LocalizableText {
  return sequence(texts, ', ');
}

function sequence(texts: readonly LocalizableText[], separator: string): LocalizableText {
  return new LocalizableText(texts.map((_, index) => `{${index}}`).join(separator), texts);
}

/** The same text with its string values changed. */
export function withValues(text: LocalizableText, change: (value: string) => string): LocalizableText {
  const values = text.values.map((value) =>
    typeof value === 'string' ? change(value) : value instanceof LocalizableText ? withValues(value, change) : value,
  );
  return new LocalizableText(text.text, values);
}

/** A localizable text as plain data, to send to another thread. */
export interface PortableText {
  readonly text: string;
  readonly values: readonly (string | number | Amount | PortableText)[];
}

export function portableText({ text, values }: LocalizableText): PortableText {
  return { text, values: values.map((value) => (value instanceof LocalizableText ? portableText(value) : value)) };
}

export function rebuiltText({ text, values }: PortableText): LocalizableText {
  return new LocalizableText(
    text,
    values.map((value) => (typeof value === 'object' && !isAmount(value) ? rebuiltText(value) : value)),
  );
}

/** An error with a message for the user. `message` is in English; the host shows `wording` translated. */
export class LocalizableError extends Error {
  readonly #wording: LocalizableText;

  constructor(wording: LocalizableText, options?: ErrorOptions) {
    super(String(wording), options);
    this.#wording = wording;
  }

  get wording(): LocalizableText {
    return this.#wording;
  }
}

/** The wording of a caught error. */
export function wordingOf(error: unknown): LocalizableText {
  if (error instanceof LocalizableError) return error.wording;
  return asLocalizable(error instanceof Error ? error.message : String(error));
}
