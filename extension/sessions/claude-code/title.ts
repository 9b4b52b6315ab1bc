import { lastWhere } from '../records/last';
import * as s from '../records/schemas';
import { titleOf } from '../records/title';

const summaryRecord = s.record({ leafUuid: s.name, summary: s.name });

/** What a session is called: as a person named it, else as a model did, else after the first thing a person wrote. */
export class SessionTitle {
  #given: string | null = null;
  #generated: string | null = null;
  #firstText: string | null = null;
  /** Titles by the row they sum up. Older versions write those of other sessions into a file, too. */
  readonly #summaries = new Map<string, string>();

  noteRecord(record: s.JsonRecord): void {
    if (record.type === 'custom-title') this.#given = s.read(s.name, record.customTitle) ?? this.#given;
    if (record.type === 'ai-title') this.#generated = s.read(s.name, record.aiTitle) ?? this.#generated;
    if (record.type === 'summary') this.#noteSummary(s.read(summaryRecord, record));
  }

  notePersonText(text: string): void {
    this.#firstText ??= titleOf(text);
  }

  title(isRowHere: (uuid: string) => boolean): string | null {
    const summary = lastWhere([...this.#summaries], ([leaf]) => isRowHere(leaf))?.[1] ?? null;
    const best = this.#given ?? this.#generated ?? summary;
    return (best === null ? null : titleOf(best)) ?? this.#firstText;
  }

  #noteSummary({ leafUuid, summary }: s.Read<typeof summaryRecord>): void {
    if (leafUuid !== null && summary !== null) this.#summaries.set(leafUuid, summary);
  }
}
