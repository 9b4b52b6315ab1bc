import { commonPrefixLength } from './common-prefix';
import type { AgentCompaction, Conversation } from './conversation';
import type { Entry } from './entry';

/**
 * Ids of the entries that existed when the agent compacted, the summary included. Line numbers decide only for
 * clearings: sessions with several files or in a database have no common line numbers.
 */
export function entriesBefore(compaction: AgentCompaction, { entries }: Conversation): ReadonlySet<string> {
  const { kind, summaryEntryId, replacedEntryIds, origin } = compaction;
  if (kind === 'cleared' && origin.line > 0) return idsOf(entries.filter((entry) => entry.origin.line <= origin.line));
  const last = summaryEntryId ?? replacedEntryIds.at(-1);
  const end = entries.findLastIndex(({ id }) => id === last);
  return idsOf(entries.slice(0, end + 1));
}

/** The newest of the lists that begin with this entry. */
const newestFrom = new WeakMap<Entry, { readonly entries: readonly Entry[]; readonly ids: ReadonlySet<string> }>();

/** Cached, because a growing session asks again with each entry. */
function idsOf(entries: readonly Entry[]): ReadonlySet<string> {
  const [first] = entries;
  if (first === undefined) return new Set();
  const known = newestFrom.get(first);
  if (known && areSameEntries(known.entries, entries)) return known.ids;
  const ids = new Set(entries.map(({ id }) => id));
  newestFrom.set(first, { entries, ids });
  return ids;
}

function areSameEntries(some: readonly Entry[], others: readonly Entry[]): boolean {
  return some.length === others.length && commonPrefixLength(some, others) === some.length;
}
