import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { Entry, Part } from '../../engine/conversation/entry';
import { CallIds } from '../gemini-content/call-ids';
import { readContent, readSaid } from '../gemini-content/content';
import { KnownEntries } from '../gemini-content/known-entries';
import { saidParts } from '../gemini-content/said';
import { asCount, asList, asName, asRecord, type JsonRecord } from '../records/json';
import type { UniqueIds } from '../records/unique-ids';
import type { EntryPlace } from './rows';

/** Where Qwen Code put another history in place of everything before. */
export interface Compression {
  /** What is sent in its place, entries from before among it. */
  readonly history: readonly Entry[];
  /** Those that were not there before, in order. */
  readonly added: readonly Entry[];
  readonly record: AgentCompaction;
}

/** Whether this row is one that Qwen Code would heed. */
export function isCompression(row: JsonRecord): boolean {
  return row.subtype === 'chat_compression' && Array.isArray(asRecord(row.systemPayload)?.compressedHistory);
}

/** @param before what was sent until then. */
export function compressionOf(
  row: JsonRecord,
  place: EntryPlace,
  before: readonly Entry[],
  ids: UniqueIds,
): Compression {
  const payload = asRecord(row.systemPayload) ?? {};
  // What Qwen Code made up where a result was lost is no entry.
  const recorded = before.filter((entry) => ids.has(entry.id));
  const restating = new Restating(before, place, (id) => ids.claim(id));
  for (const content of asList(payload.compressedHistory)) restating.add(asRecord(content) ?? {});
  const { history } = restating;
  const added = markSummary(restating.added);
  const summary = added.find((entry) => entry.summary);
  const byId = new Map(added.map((entry) => [entry.id, entry]));
  return {
    history: history.map((entry) => byId.get(entry.id) ?? entry),
    added,
    record: {
      ...place,
      kind: summary === undefined ? 'cleared' : 'summary',
      summaryEntryId: summary?.id ?? null,
      replacedEntryIds: replacedBy(history, recorded),
      ...figures(asRecord(payload.info) ?? {}),
    },
  };
}

function figures(info: JsonRecord): Pick<AgentCompaction, 'tokensBefore' | 'tokensAfter' | 'trigger'> {
  const reason = asName(info.triggerReason);
  return {
    tokensBefore: asCount(info.originalTokenCount),
    tokensAfter: asCount(info.newTokenCount),
    trigger: reason === null ? null : reason === 'manual' ? 'manual' : 'automatic',
  };
}

/** Gone, or sent otherwise than before: an emptied result. */
function replacedBy(history: readonly Entry[], before: readonly Entry[]): string[] {
  const now = new Map(history.map((entry) => [entry.id, entry]));
  return before
    .filter((entry) => {
      const kept = now.get(entry.id);
      return kept === undefined || (entry.role === 'tool' && kept !== entry);
    })
    .map((entry) => entry.id);
}

/** The first new text of the user role; a compaction that another program wrote may speak as the agent instead. */
function markSummary(added: readonly Entry[]): Entry[] {
  const summary = added.find((entry) => entry.role === 'user') ?? added.find((entry) => entry.role === 'assistant');
  return added.map((entry) => (entry === summary ? { ...entry, summary: true as const } : entry));
}

/** Reads a history content by content; what was sent before stays the entry that it was. */
class Restating {
  readonly history: Entry[] = [];
  readonly added: Entry[] = [];
  readonly #known: KnownEntries;
  readonly #calls = new CallIds();

  constructor(
    before: readonly Entry[],
    private readonly place: EntryPlace,
    private readonly claim: (id: string) => string,
  ) {
    this.#known = new KnownEntries(before);
  }

  add(content: JsonRecord): void {
    const read = content.role === 'model' ? readContent : readSaid;
    const { parts, results } = read(content.parts, this.#calls);
    for (const { result, images } of results) {
      const all = [result, ...images];
      this.#push(this.#known.takeResult(result, all), 'tool', all);
    }
    if (content.role === 'model') this.#say('assistant', parts);
    else {
      const { before, person, after } = saidParts(parts);
      for (const group of [before, person, after]) this.#say('user', group);
    }
  }

  #say(role: 'user' | 'assistant', parts: readonly Part[]): void {
    if (parts.length > 0) this.#push(this.#known.take(role, parts), role, parts);
  }

  #push(known: Entry | null, role: Entry['role'], parts: readonly Part[]): void {
    const entry = known ?? this.#new(role, parts);
    this.history.push(entry);
    if (known === null) this.added.push(entry);
  }

  /** No person wrote what stands nowhere else. */
  #new(role: Entry['role'], parts: readonly Part[]): Entry {
    const id = this.claim(`${this.place.id}:${this.added.length + 1}`);
    return { ...this.place, id, role, parts, ...(role === 'user' ? { injected: true as const } : {}) };
  }
}
