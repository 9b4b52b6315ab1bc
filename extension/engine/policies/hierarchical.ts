import { oneLine } from '../conversation/text';
import { localizable } from '../wording/localizable-text';
import { actionsCounted } from './deterministic-summary';
import { actionOf, cut, type HistoryEntry, originalEntries, steps } from './history';
import type { CompactionPolicy } from './policy';

/** Defaults: docs/specification/policies.md, "Policies". */
const defaults = {
  /** Number of newest entries that stay in full. */
  recent_window: 3,
  /** Number of entries before them that keep a line each. */
  medium_window: 5,
  /** Starts when entries and historical summaries together are more than this. */
  compress_threshold: 10,
  /** Named by the policies' specification; nothing reads it: the levels are full, partial and minimal. */
  summary_detail_levels: 3,
};

const historicalSummariesKept = 3;
const partialOutputChars = 80;
const pieceSeparator = ' | ';

export const hierarchicalPolicy: CompactionPolicy<typeof defaults> = {
  name: 'hierarchical',
  title: localizable('Hierarchical'),
  description: localizable(
    'Keeps the newest entries in full, one output of each earlier entry, and only the actions of the oldest.',
  ),
  defaults,
  keepingNothing: { recent_window: 1 },
  remembers: { tier: 'old', last: historicalSummariesKept },
  shouldCompact: (history, { compress_threshold }, { historicalSummaries }) =>
    history.length + historicalSummaries.length > compress_threshold,
  tiers(history, { recent_window, medium_window }) {
    const recent = history.length - recent_window;
    const medium = recent - medium_window;
    return history.map((_, at) => (at >= recent ? 'stays' : { tier: at >= medium ? 'medium' : 'old' }));
  },
  summarize: ({ name, entries }) => (name === 'old' ? minimal(entries) : partial(entries)),
};

/** Level 1: the actions, in order of first appearance. */
function minimal(entries: readonly HistoryEntry[]): string {
  return `[${steps(originalEntries(entries))}: ${[...new Set(entries.flatMap(actionsOf))].join(', ')}]`;
}

function actionsOf(entry: HistoryEntry): readonly string[] {
  if (entry.type !== 'summary') return [actionOf(entry)];
  const content = entry.content ?? '';
  const known = entry.tier === 'medium' ? actionsOfPieces(content) : actionsCounted(content);
  return known.length === 0 ? [actionOf(entry)] : known;
}

function actionsOfPieces(content: string): string[] {
  return content.split(pieceSeparator).flatMap((piece) => /^[^\s:]+/.exec(piece)?.[0] ?? []);
}

/** Level 2: actions with the beginnings of their outputs. */
function partial(entries: readonly HistoryEntry[]): string {
  return entries.map(piece).join(pieceSeparator);
}

function piece(entry: HistoryEntry): string {
  if (entry.type === 'summary' && entry.tier === 'medium') return oneLine(entry.content ?? '');
  const text = entry.error ? `failed, ${entry.error}` : (entry.output ?? entry.content ?? '');
  const output = cut(oneLine(text).replaceAll(pieceSeparator, ' / '), partialOutputChars);
  return output === '' ? actionOf(entry) : `${actionOf(entry)}: ${output}`;
}
