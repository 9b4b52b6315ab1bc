import type { Entry, Part } from '../../../engine/conversation/entry';
import type { GeminiResult } from '../../../sessions/gemini-content/content';
import type { UserParts } from '../../../sessions/gemini-content/user-parts';
import type { EntryPlace } from '../../../sessions/records/line-session';
import type { EntryList } from './entry-list';
import type { GrowingEntry } from './growing-entry';

type Section = keyof UserParts;
const sections: readonly Section[] = ['before', 'person', 'after'];
const suffixes: Readonly<Record<Section, string>> = { before: 'before', person: 'text', after: 'after' };

/** The entries of one user message: tool results, the person's text, and the agent's text around it. */
export class UserMessage {
  readonly #results: Entry[] = [];
  readonly #texts = new Map<Section, GrowingEntry>();
  #ownIdIsFree = true;

  constructor(
    private readonly place: EntryPlace,
    private readonly list: EntryList,
  ) {}

  add(results: readonly GeminiResult[], texts: UserParts): void {
    this.list.add(results.map((result) => this.#addResult(result)));
    const owner: Section = texts.person.length > 0 ? 'person' : texts.before.length > 0 ? 'before' : 'after';
    for (const section of sections) this.#addText(section, texts[section], section === owner);
  }

  texts(): Entry[] {
    return sections.flatMap((section) => this.#texts.get(section)?.entry ?? []);
  }

  /** In the order in which they are sent. */
  entries(): Entry[] {
    return [...this.#results, ...this.texts()];
  }

  #addResult({ result, images }: GeminiResult): Entry {
    const id = this.#claim(String(this.#results.length + 1), true);
    const entry: Entry = { ...this.place, id, role: 'tool', parts: [result, ...images] };
    this.#results.push(entry);
    return entry;
  }

  #addText(section: Section, parts: readonly Part[], isOwner: boolean): void {
    if (parts.length === 0) return;
    const text = this.#texts.get(section) ?? this.#newText(section, isOwner);
    text.add(parts);
    this.list.markChanged(text);
  }

  #newText(section: Section, isOwner: boolean): GrowingEntry {
    const id = this.#claim(suffixes[section], isOwner);
    const injected = section === 'person' ? {} : { injected: true as const };
    const text = this.list.addGrowing({ ...this.place, id, role: 'user', ...injected });
    this.#texts.set(section, text);
    return text;
  }

  /** The row's own id goes to its first result, else to the person's text, else to the agent's first text. */
  #claim(suffix: string, isOwner: boolean): string {
    if (!isOwner || !this.#ownIdIsFree) return this.list.ids.claim(`${this.place.id}:${suffix}`);
    this.#ownIdIsFree = false;
    return this.place.id;
  }
}
