import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { Entry, Part } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import type { UniqueIds } from '../../../platform/json/unique-ids';
import { CallIds } from '../../../sessions/gemini-content/call-ids';
import { readContent, readUserContent } from '../../../sessions/gemini-content/content';
import { KnownEntries } from '../../../sessions/gemini-content/known-entries';
import { splitUserParts } from '../../../sessions/gemini-content/user-parts';
import type { EntryPlace } from '../../../sessions/records/line-session';
import type { Row } from './row';

const contentRecord = s.record({ role: s.name, parts: s.anything });

/** A compression: Qwen Code replaced everything before it by another history. */
export interface Compression {
  /** The entries sent instead, including entries from before. */
  readonly history: readonly Entry[];
  /** The new entries of the history, in order. */
  readonly added: readonly Entry[];
  readonly record: AgentCompaction;
}

/** Whether Qwen Code would use this row as a compression. */
export function isCompression({ subtype, systemPayload }: Row): boolean {
  return subtype === 'chat_compression' && Array.isArray(systemPayload?.compressedHistory);
}

/** @param before the context before the compression. */
export function compressionOf(
  { systemPayload }: Row,
  place: EntryPlace,
  before: readonly Entry[],
  ids: UniqueIds,
): Compression {
  // Placeholders for lost results are not recorded entries.
  const recorded = before.filter((entry) => ids.has(entry.id));
  const reader = new HistoryReader(before, place, (id) => ids.claim(id));
  for (const content of s.read(s.list, systemPayload?.compressedHistory)) reader.add(content);
  const { history } = reader;
  const added = markSummary(reader.added);
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
      ...figures(systemPayload),
    },
  };
}

function figures(payload: Row['systemPayload']): Pick<AgentCompaction, 'tokensBefore' | 'tokensAfter' | 'trigger'> {
  const reason = payload?.info.triggerReason ?? null;
  return {
    tokensBefore: payload?.info.originalTokenCount ?? null,
    tokensAfter: payload?.info.newTokenCount ?? null,
    trigger: reason === null ? null : reason === 'manual' ? 'manual' : 'automatic',
  };
}

/** Entries that were removed, and results that were cleared. */
function replacedBy(history: readonly Entry[], before: readonly Entry[]): string[] {
  const now = new Map(history.map((entry) => [entry.id, entry]));
  return before
    .filter((entry) => {
      const kept = now.get(entry.id);
      return kept === undefined || (entry.role === 'tool' && kept !== entry);
    })
    .map((entry) => entry.id);
}

/** The summary is the first new user entry, or the first new assistant entry in a compression by another program. */
function markSummary(added: readonly Entry[]): Entry[] {
  const summary = added.find((entry) => entry.role === 'user') ?? added.find((entry) => entry.role === 'assistant');
  return added.map((entry) => (entry === summary ? { ...entry, summary: true as const } : entry));
}

/** Reads a compressed history. Content that was sent before keeps its entry. */
class HistoryReader {
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

  add(content: unknown): void {
    const { role, parts: recorded } = s.read(contentRecord, content);
    const read = role === 'model' ? readContent : readUserContent;
    const { parts, results } = read(recorded, this.#calls);
    for (const { result, images } of results) {
      const all = [result, ...images];
      this.#push(this.#known.takeResult(result, all), 'tool', all);
    }
    if (role === 'model') this.#addMessage('assistant', parts);
    else {
      const { before, person, after } = splitUserParts(parts);
      for (const group of [before, person, after]) this.#addMessage('user', group);
    }
  }

  #addMessage(role: 'user' | 'assistant', parts: readonly Part[]): void {
    if (parts.length > 0) this.#push(this.#known.take(role, parts), role, parts);
  }

  #push(known: Entry | null, role: Entry['role'], parts: readonly Part[]): void {
    const entry = known ?? this.#new(role, parts);
    this.history.push(entry);
    if (known === null) this.added.push(entry);
  }

  /** Injected, because a person's messages have rows of their own. */
  #new(role: Entry['role'], parts: readonly Part[]): Entry {
    const id = this.claim(`${this.place.id}:${this.added.length + 1}`);
    return { ...this.place, id, role, parts, ...(role === 'user' ? { injected: true as const } : {}) };
  }
}
