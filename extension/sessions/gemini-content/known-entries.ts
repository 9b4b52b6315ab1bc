import type { Entry, Part, ToolResultPart } from '../../engine/conversation/entry';

/**
 * Entries by what they say, to find them again where an agent writes a part of its context anew under other ids: it
 * leaves the thoughts out then, and may have emptied results.
 */
export class KnownEntries {
  readonly #said = new Map<string, Entry[]>();
  readonly #results = new Map<string, Entry>();

  constructor(entries: Iterable<Entry>) {
    for (const entry of entries) this.#add(entry);
  }

  /** The entry that says this, in the form that it has now; each is found once. */
  take(role: Entry['role'], parts: readonly Part[]): Entry | null {
    const found = this.#said.get(keyOf(role, parts))?.shift();
    return found === undefined ? null : withParts(found, parts);
  }

  takeResult(result: ToolResultPart, parts: readonly Part[]): Entry | null {
    const found = this.#results.get(result.callId);
    if (found === undefined) return null;
    this.#results.delete(result.callId);
    return withParts(found, parts);
  }

  #add(entry: Entry): void {
    const [first] = entry.parts;
    if (first?.type === 'tool_result') this.#results.set(first.callId, entry);
    else {
      const key = keyOf(entry.role, entry.parts);
      const others = this.#said.get(key);
      if (others === undefined) this.#said.set(key, [entry]);
      else others.push(entry);
    }
  }
}

/** The entry itself where it says exactly this: who compares entries compares objects. */
export function withParts(entry: Entry, parts: readonly Part[]): Entry {
  return textOfParts(entry.parts) === textOfParts(parts) ? entry : { ...entry, parts };
}

function keyOf(role: Entry['role'], parts: readonly Part[]): string {
  return `${role} ${textOfParts(parts.filter((part) => part.type !== 'reasoning'))}`;
}

function textOfParts(parts: readonly Part[]): string {
  return JSON.stringify(parts);
}
