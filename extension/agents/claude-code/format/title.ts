import { typedCommand } from '../../../engine/language/typed-command';
import * as s from '../../../platform/json/schemas';
import { titleOf } from '../../../sessions/records/title';

const summaryRecord = s.record({ leafUuid: s.name, summary: s.name });

/** The title of a session: set by the person, else by a model, else taken from the first prompt, else from the first command. */
export class SessionTitle {
  #given: string | null = null;
  #generated: string | null = null;
  #firstText: string | null = null;
  #firstCommand: string | null = null;
  /** Titles by the row they summarise. Older versions also write titles of other sessions into the file. */
  readonly #summaries = new Map<string, string>();

  noteRecord(record: s.JsonRecord): void {
    if (record.type === 'custom-title') this.#given = s.read(s.name, record.customTitle) ?? this.#given;
    if (record.type === 'ai-title') this.#generated = s.read(s.name, record.aiTitle) ?? this.#generated;
    if (record.type === 'summary') this.#noteSummary(s.read(summaryRecord, record));
  }

  notePersonText(text: string): void {
    this.#firstText ??= titleOf(text);
  }

  /** Text that Claude Code wrote in the role of the user. */
  noteAgentText(text: string): void {
    this.#firstCommand ??= titleOf(typedCommand(text) ?? '');
  }

  title(isRowHere: (uuid: string) => boolean): string | null {
    const summary = [...this.#summaries].findLast(([leaf]) => isRowHere(leaf))?.[1] ?? null;
    const best = this.#given ?? this.#generated ?? summary;
    return (best === null ? null : titleOf(best)) ?? this.#firstText ?? this.#firstCommand;
  }

  #noteSummary({ leafUuid, summary }: s.Read<typeof summaryRecord>): void {
    if (leafUuid !== null && summary !== null) this.#summaries.set(leafUuid, summary);
  }
}
