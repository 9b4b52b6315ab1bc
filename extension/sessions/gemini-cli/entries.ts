import type { Entry, Part, Usage } from '../../engine/conversation/entry';
import { CallIds } from '../gemini-content/call-ids';
import type { GeminiResult } from '../gemini-content/content';
import { type KnownEntries, withParts } from '../gemini-content/known-entries';
import type { SaidParts } from '../gemini-content/said';
import type { JsonRecord } from '../records/json';
import { UniqueIds } from '../records/unique-ids';
import { type GeminiMessage, type ReplyContent, readMessage } from './messages';

export type MessagePlace = Pick<Entry, 'timestamp' | 'origin'> & {
  /** The message's own, which the file repeats whenever it writes the message again. */
  readonly id: string;
};

/** How a message came about. */
export type Source =
  /** On a line of its own: news of a message replace what was known of it. */
  | { readonly kind: 'said' }
  /**
   * In a list of all messages: who was there before stays the entry that it was. `before`: those that were sent; `count`:
   * how many entries the file had told of.
   */
  | { readonly kind: 'restated'; readonly before: () => KnownEntries; readonly count: number };

/** Every entry of a session, and how the messages of the file lead to them. */
export class GeminiEntries {
  readonly #ids = new UniqueIds();
  readonly #calls = new CallIds();
  /** In the order in which they came up. */
  readonly #all: Entry[] = [];
  readonly #positions = new Map<string, number>();
  /** The first entry that took just so many tokens. */
  readonly #positionOfUsage = new Map<string, number>();
  /** By the message's id and what of it they are. */
  readonly #parts = new Map<string, KnownPart>();
  readonly #idOfResult = new Map<string, string>();

  /** @param isAgents no person takes part any more: what is said is said by the program. */
  constructor(private readonly isAgents: () => boolean) {}

  list(): Entry[] {
    return this.#all.slice();
  }

  get count(): number {
    return this.#all.length;
  }

  isOneOfFirst(count: number, id: string): boolean {
    return (this.#positions.get(id) ?? count) < count;
  }

  recorded(id: string): Entry | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#all[position];
  }

  read(message: JsonRecord): GeminiMessage {
    return readMessage(message, this.#calls);
  }

  /** The message as entries, in the form in which they are sent from here on. */
  of(message: GeminiMessage, place: MessagePlace, source: Source): Entry[] {
    if (message.kind === 'note') return [];
    const results = message.results.map((result) => this.#result(result, place, source));
    if (message.kind === 'said') return [...results, ...this.#said(message.said, place, source)];
    const reply = this.#reply(message.reply, place, source);
    return reply === null ? results : [reply, ...results];
  }

  #reply({ parts, usage, model }: ReplyContent, place: MessagePlace, source: Source): Entry | null {
    if (parts.length === 0) return null;
    return this.#keep({ key: `reply ${place.id}`, wantedId: place.id }, place, source, {
      role: 'assistant',
      parts,
      ...(usage === null ? {} : { usage }),
      ...(model === null ? {} : { model }),
    });
  }

  /** The message's id is that of what the person said; of what the agent did, where that is all. */
  #said({ before, person, after }: SaidParts, place: MessagePlace, source: Source): Entry[] {
    const all = [
      { name: 'before', parts: before, injected: true },
      { name: 'said', parts: person, injected: this.isAgents() },
      { name: 'after', parts: after, injected: true },
    ];
    const groups = all.filter(({ parts }) => parts.length > 0);
    const owner = groups.find(({ name }) => name === 'said') ?? groups[0];
    return groups.map((group) => {
      const { name, parts, injected } = group;
      const wantedId = group === owner ? place.id : `${place.id}:${name}`;
      const content: EntryContent = { role: 'user', parts, ...(injected ? { injected: true as const } : {}) };
      return this.#keep({ key: `${name} ${place.id}`, wantedId }, place, source, content);
    });
  }

  #keep(name: PartName, place: MessagePlace, source: Source, content: EntryContent): Entry {
    const part = this.#parts.get(name.key);
    const known = part === undefined ? undefined : this.recorded(part.id);
    if (part !== undefined && known !== undefined) return this.#again(known, part.isOwn, content, source);
    const same = source.kind === 'restated' ? source.before().take(content.role, content.parts) : null;
    const entry = same ?? this.#add(name.wantedId, place, this.#countedOnce(content, source));
    this.#parts.set(name.key, { id: entry.id, isOwn: same === null });
    return entry;
  }

  /** A reply that a list states in other words under a new id still tells what the old one took. */
  #countedOnce(content: EntryContent, source: Source): EntryContent {
    const { usage, ...rest } = content;
    if (usage === undefined || source.kind === 'said') return content;
    return (this.#positionOfUsage.get(keyOfUsage(usage)) ?? source.count) < source.count ? rest : content;
  }

  /** News of a message that took the place of another tell nothing about that other one. */
  #again(known: Entry, isOwn: boolean, content: EntryContent, source: Source): Entry {
    if (source.kind === 'restated' || !isOwn) return withParts(known, content.parts);
    const { id, timestamp, origin, summary } = known;
    return this.#replace({ id, timestamp, origin, ...content, ...(summary ? { injected: true, summary } : {}) });
  }

  /** A result is written with its call and once more behind it; it is one entry. */
  #result({ result, images }: GeminiResult, place: MessagePlace, source: Source): Entry {
    const parts = [result, ...images];
    const id = this.#idOfResult.get(result.callId);
    const known = id === undefined ? undefined : this.recorded(id);
    if (known === undefined) return this.#addResult(result.callId, place, parts);
    const current = withParts(known, parts);
    return source.kind === 'said' && current !== known ? this.#replace(current) : current;
  }

  #addResult(callId: string, place: MessagePlace, parts: readonly Part[]): Entry {
    const entry = this.#add(`${place.id}:${callId}`, place, { role: 'tool', parts });
    this.#idOfResult.set(callId, entry.id);
    return entry;
  }

  #add(wanted: string, { timestamp, origin }: MessagePlace, content: EntryContent): Entry {
    const entry: Entry = { id: this.#ids.claim(wanted), timestamp, origin, ...content };
    this.#positions.set(entry.id, this.#all.length);
    this.#noteUsage(entry, this.#all.length);
    this.#all.push(entry);
    return entry;
  }

  /** Puts another form of an entry in its place. */
  #replace(entry: Entry): Entry {
    const position = this.#positions.get(entry.id);
    if (position === undefined) return entry;
    this.#all[position] = entry;
    this.#noteUsage(entry, position);
    return entry;
  }

  #noteUsage({ usage }: Entry, position: number): void {
    if (usage === undefined) return;
    const key = keyOfUsage(usage);
    if (!this.#positionOfUsage.has(key)) this.#positionOfUsage.set(key, position);
  }

  /** From here on this entry is a summary. */
  markSummary(entry: Entry): Entry {
    return this.#replace({ ...entry, injected: true, summary: true });
  }
}

function keyOfUsage({ input, output, cacheRead, cacheWrite }: Usage): string {
  return [input, output, cacheRead, cacheWrite].join(' ');
}

type EntryContent = Pick<Entry, 'role' | 'parts' | 'usage' | 'model' | 'injected'>;

/** A part of a message: what the file means by it, and the id that its entry is to have. */
interface PartName {
  readonly key: string;
  readonly wantedId: string;
}

interface KnownPart {
  readonly id: string;
  /** False where the message turned out to be an older one under a new id. */
  readonly isOwn: boolean;
}
