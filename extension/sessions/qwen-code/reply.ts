import type { Entry, Part, Usage } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import type { EntryPlace } from './rows';

/** One reply of the model. A subagent's file spends a row on its text and one on each of its calls. */
export class Reply {
  readonly #rows: (readonly Part[])[] = [];
  #usage: Usage | null = null;
  #model: string | null = null;
  #entry: Entry | null = null;

  constructor(
    private readonly place: EntryPlace,
    /** Where the entry stands among all entries. */
    readonly position: number,
  ) {}

  add(row: JsonRecord, parts: readonly Part[]): void {
    this.#rows.push(parts);
    this.#usage = usageOf(row.usageMetadata) ?? this.#usage;
    this.#model = asName(row.model) ?? this.#model;
    this.#entry = null;
  }

  /** Made when it is asked for, so that a reply of many rows costs no more than its rows. */
  get entry(): Entry {
    this.#entry ??= {
      ...this.place,
      role: 'assistant',
      parts: this.#rows.flat(),
      ...(this.#usage === null ? {} : { usage: this.#usage }),
      ...(this.#model === null ? {} : { model: this.#model }),
    };
    return this.#entry;
  }
}

/** The prompt's count includes its cached part; thoughts are part of the total, and only of some counts of candidates. */
function usageOf(value: unknown): Usage | null {
  const usage = asRecord(value);
  const prompt = asCount(usage?.promptTokenCount);
  if (usage === null || prompt === null) return null;
  const cacheRead = Math.min(asCount(usage.cachedContentTokenCount) ?? 0, prompt);
  const total = asCount(usage.totalTokenCount);
  const output = total === null ? (asCount(usage.candidatesTokenCount) ?? 0) : Math.max(0, total - prompt);
  return { input: prompt - cacheRead, output, cacheRead, cacheWrite: 0 };
}
