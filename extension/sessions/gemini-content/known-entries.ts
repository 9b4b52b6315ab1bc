import type { Entry, Part, ToolResultPart } from '../../engine/conversation/entry';

/**
 * Finds entries by content. An agent that rewrites part of its context gives the messages new ids, drops their thoughts
 * and may clear tool results.
 */
export class KnownEntries {
  readonly #byContent = new Map<string, Entry[]>();
  readonly #results = new Map<string, Entry>();

  constructor(entries: Iterable<Entry>) {
    for (const entry of entries) this.#add(entry);
  }

  /** The known entry with this content, updated to its present form. Each entry is found once. */
  take(role: Entry['role'], parts: readonly Part[]): Entry | null {
    const found = this.#byContent.get(keyOf(role, parts))?.shift();
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
      const others = this.#byContent.get(key);
      if (others === undefined) this.#byContent.set(key, [entry]);
      else others.push(entry);
    }
  }
}

/** The same object if the parts are equal, because entries are compared by identity. */
export function withParts(entry: Entry, parts: readonly Part[]): Entry {
  return areEqual(entry.parts, parts) ? entry : { ...entry, parts };
}

function areEqual(some: readonly Part[], others: readonly Part[]): boolean {
  return some.length === others.length && some.every((part, index) => isEqual(part, others[index]));
}

/** Results, the longest parts, are compared without a copy of them. */
function isEqual(one: Part, other: Part | undefined): boolean {
  if (one.type !== 'tool_result' || other?.type !== 'tool_result') return JSON.stringify(one) === JSON.stringify(other);
  return (
    one.text === other.text && one.callId === other.callId && one.name === other.name && one.isError === other.isError
  );
}

function keyOf(role: Entry['role'], parts: readonly Part[]): string {
  return `${role} ${JSON.stringify(parts.filter((part) => part.type !== 'reasoning'))}`;
}
