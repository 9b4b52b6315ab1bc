/** The input of a tool does not match its schema. The message is for the calling model. */
export class ToolInputRefused extends Error {
  override name = 'ToolInputRefused';
}

export const budgets = { min: 100, default: 2000, max: 8000 } as const;

/**
 * Reads the fields of a tool's input. Throws `ToolInputRefused` for invalid ones. Null counts as absent, because many
 * models fill in all fields.
 */
export class ToolInput {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(
    private readonly tool: string,
    input: unknown,
    known: readonly string[],
  ) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new ToolInputRefused(`${tool}: the input must be an object, but it is ${described(input)}.`);
    }
    this.#fields = { ...input };
    const unknown = Object.keys(input).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    const accepted = known.length === 0 ? 'It takes no fields.' : `Its fields are ${known.join(', ')}.`;
    throw new ToolInputRefused(`${tool}: there is no field "${unknown}". ${accepted}`);
  }

  text(name: string, maxLength: number): string {
    return this.optionalText(name, maxLength) ?? this.refuse(name, 'a text', undefined);
  }

  /** Not blank if present. */
  optionalText(name: string, maxLength: number): string | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (typeof value !== 'string') return this.refuse(name, 'a text', value);
    if (value.trim() === '') return this.refuse(name, 'a text', value);
    if (value.length <= maxLength) return value;
    throw new ToolInputRefused(
      `${this.tool}: "${name}" may have ${maxLength} characters at most, but it has ${value.length}.`,
    );
  }

  choice<const T extends string>(name: string, choices: readonly T[]): T {
    const value = this.#value(name);
    return choices.find((choice) => choice === value) ?? this.refuse(name, `one of ${choices.join(', ')}`, value);
  }

  optionalTexts(name: string, most: number): readonly string[] | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    const wanted = `a list of 1 to ${most} texts`;
    if (!Array.isArray(value) || value.length === 0 || value.length > most) return this.refuse(name, wanted, value);
    return value.map((item: unknown) =>
      typeof item === 'string' && item.trim() !== '' ? item : this.refuse(name, wanted, item),
    );
  }

  /** A whole number of at least `least` if present. */
  optionalNumber(name: string, least: number): number | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    const isFine = Number.isInteger(value) && Number(value) >= least;
    return isFine ? Number(value) : this.refuse(name, `a whole number from ${least} on`, value);
  }

  /** Maximum tokens of the answer. */
  budget(name = 'maxTokens'): number {
    const value = this.#value(name);
    if (value === undefined) return budgets.default;
    const isFine = Number.isInteger(value) && Number(value) >= budgets.min && Number(value) <= budgets.max;
    return isFine ? Number(value) : this.refuse(name, `a whole number from ${budgets.min} to ${budgets.max}`, value);
  }

  #value(name: string): unknown {
    return this.#fields[name] ?? undefined;
  }

  refuse(name: string, wanted: string, value: unknown): never {
    throw new ToolInputRefused(`${this.tool}: "${name}" must be ${wanted}, but it is ${described(value)}.`);
  }
}

const maxShownLength = 60;

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string' && value.trim() === '') return 'empty';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`;
}
