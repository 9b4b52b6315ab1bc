/** Ids and names of calls as a provider accepts them. */
export interface CallLimits {
  /** In characters. */
  readonly idLength: number;
  readonly nameLength: number;
  /** Characters that an id must not have. */
  readonly notInId: RegExp | null;
}

/** Gives each call an id that its provider takes and no other call has. Ids that are so already stay. */
export class CallIds {
  readonly #used = new Set<string>();

  constructor(private readonly limits: CallLimits) {}

  claim(callId: string): string {
    const { idLength, notInId } = this.limits;
    const allowed = notInId === null ? callId : callId.replace(notInId, '_');
    const base = allowed === '' ? 'call' : allowed;
    let id = base.slice(0, idLength);
    for (let number = 2; this.#used.has(id); number += 1) {
      const suffix = `_${number}`;
      id = `${base.slice(0, idLength - suffix.length)}${suffix}`;
    }
    this.#used.add(id);
    return id;
  }
}

/** Sessions also contain names that no provider accepts, such as those of an agent's internal tools. */
export function callName(name: string, { nameLength }: CallLimits): string {
  return name === '' ? 'tool' : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, nameLength);
}

/** Arguments are an object. Free text, as of a patch, becomes the only property of one. */
export function callArguments(input: unknown): object {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? input : { input: input ?? null };
}
