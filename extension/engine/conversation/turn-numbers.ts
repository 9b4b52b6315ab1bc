import { commonPrefixLength } from './common-prefix';
import type { Conversation } from './conversation';
import { type Entry, isPrompt, textOf } from './entry';

/**
 * Numbers turns over the whole conversation, so that a turn keeps its number after a compaction. A prompt that a fork repeats
 * has the number that it had before.
 */
export class TurnNumbers {
  #entries: readonly Entry[] = [];
  #numbers = new Map<string, number>();
  #newest = 0;

  /** By the id of the prompt, from 1. The same map grows while no existing number changes. */
  of(conversation: Conversation): ReadonlyMap<string, number> {
    const { entries } = conversation;
    if (entries === this.#entries) return this.#numbers;
    const start = commonPrefixLength(this.#entries, entries);
    const repeated = repeatedIn(conversation);
    const isGrown =
      !this.#entries.slice(start).some(isPrompt) && !entries.slice(start).some(({ id }) => repeated.has(id));
    if (!isGrown) {
      this.#numbers = new Map();
      this.#newest = 0;
    }
    this.#entries = entries;
    this.#number(isGrown ? entries.slice(start) : entries, conversation);
    return this.#numbers;
  }

  #number(entries: readonly Entry[], conversation: Conversation): void {
    const earlier = originals(conversation);
    for (const entry of entries.filter(isPrompt)) {
      const known = this.#numbers.get(earlier.get(entry.id) ?? '');
      if (known === undefined) this.#newest += 1;
      this.#numbers.set(entry.id, known ?? this.#newest);
    }
  }
}

export function turnNumbers(conversation: Conversation): ReadonlyMap<string, number> {
  return new TurnNumbers().of(conversation);
}

/** The last prompt in the file for each turn number. */
export function newestPrompts(conversation: Conversation): ReadonlyMap<number, Entry> {
  const numbers = turnNumbers(conversation);
  return new Map(conversation.entries.filter(isPrompt).map((entry) => [numbers.get(entry.id) ?? 0, entry]));
}

/** A context that Strata wrote into a fork: the ids of its messages, and the index of the first entry that was written. */
interface WrittenContext {
  readonly ids: ReadonlySet<string>;
  readonly first: number;
}

function writtenContexts({ entries, agentCompactions, fork }: Conversation): WrittenContext[] {
  const contexts: WrittenContext[] = [];
  for (const { byStrata, replacedEntryIds } of agentCompactions) {
    if (byStrata === undefined) continue;
    const replaced = new Set(replacedEntryIds);
    contexts.push({ ids: new Set(byStrata), first: 1 + entries.findLastIndex(({ id }) => replaced.has(id)) });
  }
  // Written as a branch of its own, without a compaction.
  if (fork?.compactionId === null) {
    const ids = new Set(fork.entryIds);
    const before = entries.slice(0, fork.entryCount).findLastIndex(({ id }) => !ids.has(id));
    contexts.push({ ids, first: before + 1 });
  }
  return contexts;
}

function repeatedIn(conversation: Conversation): ReadonlySet<string> {
  return new Set(writtenContexts(conversation).flatMap(({ ids }) => [...ids]));
}

/**
 * Maps each prompt that a context written by Strata repeats to the original prompt with the same text. Contexts repeat
 * prompts in order, so the later of two equal prompts is the later original.
 */
function originals(conversation: Conversation): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { ids, first } of writtenContexts(conversation)) {
    const before = conversation.entries.slice(0, first).filter(isPrompt);
    const repeated = conversation.entries.slice(first).filter((entry) => ids.has(entry.id) && isPrompt(entry));
    for (const entry of repeated.reverse()) {
      const text = textOf(entry.parts);
      const index = before.findLastIndex(({ parts }) => textOf(parts) === text);
      if (index < 0) continue;
      found.set(entry.id, before[index]?.id ?? '');
      before.length = index;
    }
  }
  return found;
}
