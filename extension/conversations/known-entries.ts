import { beginning, commonPrefixLength, longer } from '../engine/conversation/common-prefix';
import type { Conversation } from '../engine/conversation/conversation';
import type { Entry, Part } from '../engine/conversation/entry';
import { textLength } from '../engine/conversation/tokens';
import { isSystemPrompt } from './requests/system-prompt';

type Named = Pick<Entry, 'id'>;

/** Estimated memory of an entry besides its text, in bytes: its places in the conversation and in the context, its ids and counts. */
const bytesOfEntry = 1_000;

interface Compared {
  readonly path: readonly Named[];
  readonly asked: readonly Named[];
  readonly same: number;
}

/** Answers what each request asks about the entries of a conversation. Takes time only for what was added since the previous request. */
export class KnownEntries {
  readonly #ids = new Set<string>();
  readonly #systemPrompts: Entry[] = [];
  #bytes = 0;
  #conversation: Pick<Conversation, 'entries' | 'agentContext'> = { entries: [], agentContext: [] };
  #path: readonly Entry[] = [];
  /** The entries of the newest request, and how many of them were known. */
  #asked: readonly Named[] = [];
  #known = 0;
  /** The lists that `consistsOf` compared last, and how many of their entries are equal. */
  #compared: Compared = { path: [], asked: [], same: 0 };

  /** Takes over the conversation's current state, which shares unchanged entries with the previous one. */
  update(conversation: Conversation): this {
    const before = this.#conversation;
    if (conversation === before) return this;
    this.#conversation = conversation;
    this.#updateEntries(before.entries, conversation.entries);
    this.#updatePath(before.agentContext, conversation.agentContext);
    return this;
  }

  #updateEntries(before: readonly Entry[], entries: readonly Entry[]): void {
    const same = commonPrefixLength(before, entries);
    const gone = before.slice(same);
    for (const entry of gone) {
      this.#ids.delete(entry.id);
      this.#bytes -= bytesOf(entry);
      if (isSystemPrompt(entry)) this.#systemPrompts.pop();
    }
    for (const entry of entries.slice(same)) {
      this.#ids.add(entry.id);
      this.#bytes += bytesOf(entry);
      if (isSystemPrompt(entry)) this.#systemPrompts.push(entry);
    }
    // The pieces of a reply have another id than the whole reply.
    if (gone.some(({ id }) => !this.#ids.has(id))) this.#known = 0;
  }

  #updatePath(before: readonly Entry[], context: readonly Entry[]): void {
    const same = commonPrefixLength(before, context);
    let length = this.#path.length;
    for (const entry of before.slice(same).reverse()) if (entry === this.#path[length - 1]) length -= 1;
    const added = context.slice(same).filter((entry) => this.#ids.has(entry.id) && !isSystemPrompt(entry));
    this.#path = longer(beginning(this.#path, length), added);
  }

  /** Estimated memory of the conversation. */
  get bytes(): number {
    return this.#bytes;
  }

  get systemPrompts(): readonly Entry[] {
    return this.#systemPrompts;
  }

  /** The entries of the present path, without the system prompt and without results that only the context has. */
  get path(): readonly Entry[] {
    return this.#path;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whether the present path consists of exactly these entries. */
  consistsOf(asked: readonly Named[]): boolean {
    const path = this.#path;
    const known = this.#compared;
    let same = Math.min(known.same, commonPrefixLength(known.path, path), commonPrefixLength(known.asked, asked));
    while (same < path.length && path[same]?.id === asked[same]?.id) same += 1;
    this.#compared = { path, asked, same };
    return same === path.length && same === asked.length;
  }

  /** Number of known entries at the start. An id identifies an entry with its whole history. */
  prefixOf(asked: readonly Named[]): number {
    let known = Math.min(this.#known, commonPrefixLength(this.#asked, asked));
    while (known < asked.length && this.#ids.has(asked[known]?.id ?? '')) known += 1;
    this.#asked = asked;
    this.#known = known;
    return known;
  }
}

function bytesOf({ parts }: Entry): number {
  const ofPart = (part: Part) => (part.type === 'image' ? (part.data?.length ?? 0) : textLength(part));
  return parts.reduce((total, part) => total + ofPart(part), bytesOfEntry);
}
