/** Ids and names of calls as a provider accepts them. */
export interface CallLimits {
  /** In characters. */
  readonly idLength: number;
  readonly nameLength: number;
  /** Characters that an id must not contain. */
  readonly notInId: RegExp | null;
}

/** Gives each call an id that is unique and that its provider accepts. Ids that already are stay. */
export class CallIds {
  readonly #used = new Set<string>();
  /** For each id, the next number to append to it; smaller numbers are used. */
  readonly #nextNumber = new Map<string, number>();

  constructor(private readonly limits: CallLimits) {}

  claim(callId: string): string {
    const { idLength, notInId } = this.limits;
    const allowed = notInId === null ? callId : callId.replace(notInId, '_');
    const base = allowed === '' ? 'call' : allowed;
    const short = base.slice(0, idLength);
    const id = this.#used.has(short) ? this.#numbered(short) : short;
    this.#used.add(id);
    return id;
  }

  #numbered(short: string): string {
    for (let number = this.#nextNumber.get(short) ?? 2; ; number += 1) {
      const suffix = `_${number}`;
      const id = `${short.slice(0, this.limits.idLength - suffix.length)}${suffix}`;
      if (this.#used.has(id)) continue;
      this.#nextNumber.set(short, number + 1);
      return id;
    }
  }
}

/** Sessions also contain names that no provider accepts, such as those of an agent's internal tools. */
export function callName(name: string, { nameLength }: CallLimits): string {
  return name === '' ? 'tool' : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, nameLength);
}

/** Arguments must be an object. Free text, such as a patch, becomes its only property. */
export function callArguments(input: unknown): object {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? input : { input: input ?? null };
}
