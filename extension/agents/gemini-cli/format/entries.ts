import type { Entry, Part, Usage } from '../../../engine/conversation/entry';
import type { UniqueIds } from '../../../platform/json/unique-ids';
import { CallIds } from '../../../sessions/gemini-content/call-ids';
import type { GeminiResult } from '../../../sessions/gemini-content/content';
import { type KnownEntries, withParts } from '../../../sessions/gemini-content/known-entries';
import type { UserParts } from '../../../sessions/gemini-content/user-parts';
import { injectedMarks } from '../../../sessions/injected/marks';
import { type GeminiMessage, type MessageFields, type ReplyContent, readMessage } from './messages';

export type MessagePlace = Pick<Entry, 'timestamp' | 'origin'> & {
  /** The message's own id, repeated whenever the file contains the message again. */
  readonly id: string;
};

/** Where the file contains a message. */
export type Source =
  /** A separate record. It replaces an earlier record of the same message. */
  | { readonly kind: 'record' }
  /**
   * A list of all messages. Known messages keep their entries. `known`: entries of the context before the list; `count`:
   * number of entries before the list.
   */
  | { readonly kind: 'list'; readonly known: () => KnownEntries; readonly count: number };

/** All entries of a session, and which message each belongs to. */
export class GeminiEntries {
  readonly #calls = new CallIds();
  /** In the order of their first occurrence. */
  readonly #all: Entry[] = [];
  readonly #positions = new Map<string, number>();
  /** Position of the first entry with a given usage. */
  readonly #positionOfUsage = new Map<string, number>();
  /** By message id and section. */
  readonly #sections = new Map<string, KnownSection>();
  readonly #idOfResult = new Map<string, string>();

  /** @param isAgents whether Gemini CLI wrote the user messages, as in a subagent after its first prompt. */
  constructor(
    private readonly ids: UniqueIds,
    private readonly isAgents: () => boolean,
  ) {}

  list(): Entry[] {
    return this.#all.slice();
  }

  get count(): number {
    return this.#all.length;
  }

  isAmongFirst(count: number, id: string): boolean {
    return (this.#positions.get(id) ?? count) < count;
  }

  recorded(id: string): Entry | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#all[position];
  }

  read(message: MessageFields): GeminiMessage {
    return readMessage(message, this.#calls);
  }

  /** The entries of the message in their current form. */
  of(message: GeminiMessage, place: MessagePlace, source: Source): Entry[] {
    if (message.kind === 'note') return [];
    const results = message.results.map((result) => this.#result(result, place, source));
    if (message.kind === 'user') return [...results, ...this.#userEntries(message.parts, place, source)];
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

  /** The person's entry has the message's id. If there is none, the first entry of the agent has it. */
  #userEntries({ before, person, after }: UserParts, place: MessagePlace, source: Source): Entry[] {
    const all = [
      { name: 'before', parts: before, injected: true },
      { name: 'person', parts: person, injected: this.isAgents() },
      { name: 'after', parts: after, injected: true },
    ];
    const groups = all.filter(({ parts }) => parts.length > 0);
    const owner = groups.find(({ name }) => name === 'person') ?? groups[0];
    return groups.map((group) => {
      const { name, parts, injected } = group;
      const wantedId = group === owner ? place.id : `${place.id}:${name}`;
      const content: EntryContent = { role: 'user', parts, ...(injected ? injectedMarks(parts) : {}) };
      return this.#keep({ key: `${name} ${place.id}`, wantedId }, place, source, content);
    });
  }

  #keep(section: Section, place: MessagePlace, source: Source, content: EntryContent): Entry {
    const before = this.#sections.get(section.key);
    const known = before === undefined ? undefined : this.recorded(before.id);
    if (before !== undefined && known !== undefined) return this.#update(known, before.isOwn, content, source);
    const same = source.kind === 'list' ? source.known().take(content.role, content.parts) : null;
    const entry = same ?? this.#add(section.wantedId, place, this.#countedOnce(content, source));
    this.#sections.set(section.key, { id: entry.id, isOwn: same === null });
    return entry;
  }

  /** A list may contain a known reply under a new id with other text. It keeps the usage, which must not count twice. */
  #countedOnce(content: EntryContent, source: Source): EntryContent {
    const { usage, ...rest } = content;
    if (usage === undefined || source.kind === 'record') return content;
    return (this.#positionOfUsage.get(keyOfUsage(usage)) ?? source.count) < source.count ? rest : content;
  }

  /** A message that was matched to an older entry changes only its parts. */
  #update(known: Entry, isOwn: boolean, content: EntryContent, source: Source): Entry {
    if (source.kind === 'list' || !isOwn) return withParts(known, content.parts);
    const { id, timestamp, origin, summary } = known;
    return this.#replace({ id, timestamp, origin, ...content, ...(summary ? { injected: true, summary } : {}) });
  }

  /** The file contains a result twice: with its call and as a message after it. Both are one entry. */
  #result({ result, images }: GeminiResult, place: MessagePlace, source: Source): Entry {
    const parts = [result, ...images];
    const id = this.#idOfResult.get(result.callId);
    const known = id === undefined ? undefined : this.recorded(id);
    if (known === undefined) return this.#addResult(result.callId, place, parts);
    const current = withParts(known, parts);
    return source.kind === 'record' && current !== known ? this.#replace(current) : current;
  }

  #addResult(callId: string, place: MessagePlace, parts: readonly Part[]): Entry {
    const entry = this.#add(`${place.id}:${callId}`, place, { role: 'tool', parts });
    this.#idOfResult.set(callId, entry.id);
    return entry;
  }

  #add(wanted: string, { timestamp, origin }: MessagePlace, content: EntryContent): Entry {
    const entry: Entry = { id: this.ids.claim(wanted), timestamp, origin, ...content };
    this.#positions.set(entry.id, this.#all.length);
    this.#noteUsage(entry, this.#all.length);
    this.#all.push(entry);
    return entry;
  }

  /** Replaces the entry with the same id. */
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

  /** Marks the entry as a summary and returns the new value. */
  markSummary(entry: Entry): Entry {
    return this.#replace({ ...entry, injected: true, summary: true });
  }
}

function keyOfUsage({ input, output, cacheRead, cacheWrite }: Usage): string {
  return [input, output, cacheRead, cacheWrite].join(' ');
}

type EntryContent = Pick<Entry, 'role' | 'parts' | 'usage' | 'model' | 'injected' | 'standing'>;

/** The part of a message that becomes one entry: its key in the file, and the id wanted for its entry. */
interface Section {
  readonly key: string;
  readonly wantedId: string;
}

interface KnownSection {
  readonly id: string;
  /** False if the message was matched to an older entry with another id. */
  readonly isOwn: boolean;
}
