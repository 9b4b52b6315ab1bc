import { asName, type JsonRecord } from '../records/json';
import { lastWhere } from '../records/last';
import { titleOf } from '../records/title';

/** What a session is called: as a person named it, else as a model did, else after the first thing a person wrote. */
export class SessionTitle {
  #given: string | null = null;
  #generated: string | null = null;
  #firstText: string | null = null;
  /** Titles by the row they sum up. Older versions write those of other sessions into a file, too. */
  readonly #summaries = new Map<string, string>();

  noteRecord(record: JsonRecord): void {
    if (record.type === 'custom-title') this.#given = asName(record.customTitle) ?? this.#given;
    if (record.type === 'ai-title') this.#generated = asName(record.aiTitle) ?? this.#generated;
    if (record.type === 'summary') this.#noteSummary(asName(record.leafUuid), asName(record.summary));
  }

  notePersonText(text: string): void {
    this.#firstText ??= titleOf(text);
  }

  title(isRowHere: (uuid: string) => boolean): string | null {
    const summary = lastWhere([...this.#summaries], ([leaf]) => isRowHere(leaf))?.[1] ?? null;
    const best = this.#given ?? this.#generated ?? summary;
    return (best === null ? null : titleOf(best)) ?? this.#firstText;
  }

  #noteSummary(leaf: string | null, summary: string | null): void {
    if (leaf !== null && summary !== null) this.#summaries.set(leaf, summary);
  }
}
