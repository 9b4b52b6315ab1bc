import type { Entry, Part } from '../../engine/conversation/entry';
import type { GeminiResult } from '../gemini-content/content';
import type { SaidParts } from '../gemini-content/said';
import type { EntryList } from './entry-list';
import type { GrowingEntry } from './growing-entry';
import type { EntryPlace } from './rows';

type Speaker = keyof SaidParts;
const inOrder: readonly Speaker[] = ['before', 'person', 'after'];
const suffixes: Readonly<Record<Speaker, string>> = { before: 'before', person: 'text', after: 'after' };

/** What one message in the user role says: results, and texts of the agent around that of the person. */
export class Said {
  readonly #results: Entry[] = [];
  readonly #texts = new Map<Speaker, GrowingEntry>();
  #ownIdIsFree = true;

  constructor(
    private readonly place: EntryPlace,
    private readonly entries: EntryList,
  ) {}

  add(results: readonly GeminiResult[], texts: SaidParts): void {
    const answers = results.map((result) => this.#answer(result));
    this.entries.add(answers);
    const owner: Speaker = texts.person.length > 0 ? 'person' : texts.before.length > 0 ? 'before' : 'after';
    for (const speaker of inOrder) this.#addText(speaker, texts[speaker], speaker === owner);
  }

  texts(): Entry[] {
    return inOrder.flatMap((speaker) => this.#texts.get(speaker)?.entry ?? []);
  }

  /** In the order in which it is sent. */
  sent(): Entry[] {
    return [...this.#results, ...this.texts()];
  }

  #answer({ result, images }: GeminiResult): Entry {
    const id = this.#claim(String(this.#results.length + 1), true);
    const answer: Entry = { ...this.place, id, role: 'tool', parts: [result, ...images] };
    this.#results.push(answer);
    return answer;
  }

  #addText(speaker: Speaker, parts: readonly Part[], isOwner: boolean): void {
    if (parts.length === 0) return;
    const text = this.#texts.get(speaker) ?? this.#newText(speaker, isOwner);
    text.add(parts);
    this.entries.noteGrown(text);
  }

  #newText(speaker: Speaker, isOwner: boolean): GrowingEntry {
    const id = this.#claim(suffixes[speaker], isOwner);
    const injected = speaker === 'person' ? {} : { injected: true as const };
    const text = this.entries.addGrowing({ ...this.place, id, role: 'user', ...injected });
    this.#texts.set(speaker, text);
    return text;
  }

  /** The row's own id is that of its first result, else of what the person said, else of what the agent did. */
  #claim(suffix: string, isOwner: boolean): string {
    if (!isOwner || !this.#ownIdIsFree) return this.entries.ids.claim(`${this.place.id}:${suffix}`);
    this.#ownIdIsFree = false;
    return this.place.id;
  }
}
