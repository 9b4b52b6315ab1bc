import { oneLine } from '../conversation/text';
import type { HistoryEntry } from './history';
import type { PolicyMemory, Remembering } from './policy';

/** Separates historical summaries; removed from the summaries themselves. */
const separator = ' | ';

/** Whether an entry is carried over unchanged instead of being summarised again. */
export function isCarried(entry: HistoryEntry, remembers: Remembering | undefined): boolean {
  if (!remembers) return false;
  return entry.type === 'historical_summary' || (entry.type === 'summary' && entry.tier === remembers.tier);
}

/** The newest summaries of earlier cycles in these entries, oldest first. */
export function recollected(entries: readonly HistoryEntry[], remembers: Remembering | undefined): string[] {
  if (!remembers) return [];
  const carried = entries.filter((entry) => isCarried(entry, remembers));
  const historical = carried.filter(({ type }) => type === 'historical_summary');
  const newest = carried.filter(({ type }) => type === 'summary');
  const texts = [...historical.flatMap(({ content = '' }) => content.split(separator)), ...newest.map(rememberedText)];
  return lastOf(
    texts.filter((text) => text !== ''),
    remembers,
  );
}

export function rememberedText({ content = '' }: Pick<HistoryEntry, 'content'>): string {
  return oneLine(content).replaceAll(separator, ' / ');
}

export function joined(texts: readonly string[]): string {
  return texts.join(separator);
}

/** The memory after a cycle that used `earlier` and wrote `added`. */
export function remember(
  earlier: readonly string[],
  added: readonly string[],
  remembers: Remembering | undefined,
): PolicyMemory {
  return { historicalSummaries: remembers ? lastOf([...earlier, ...added], remembers) : [] };
}

export function lastOf(texts: readonly string[], { last }: Remembering): string[] {
  return texts.slice(Math.max(0, texts.length - last));
}
