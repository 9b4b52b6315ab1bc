import type { Note } from '../block/memory';
import type { SummaryRequest } from '../block/summary';
import { replacedEntries } from '../compaction/request';
import { type Entry, textOf } from '../conversation/entry';
import { oneLine, unique } from '../conversation/text';
import { type CoreState, coreText } from '../core/core';
import { isRequest } from './request-spans';

/**
 * What recall looks for: the user's latest request with the pinned goal and the instructions for this compaction, and the first and the
 * newest request of the replaced entries. A note has to be near to one of them.
 */
export function queriesOf(request: SummaryRequest): string[] {
  const { liveGoal, core, instructions } = request;
  const asked = unique([instructions ?? '', core?.current_goal ?? '', liveGoal ?? '']).join('\n');
  const requests = outerRequests(request).map(({ parts }) => textOf(parts));
  return unique([asked, ...requests]).filter((text) => text.trim() !== '');
}

/** Notes of what the person said first and last. */
export function notesOfGoals(request: SummaryRequest, notes: readonly Note[]): Note[] {
  const ids = new Set(outerRequests(request).map(({ id }) => id));
  return notes.filter(({ category, entryIds }) => category === 'request' && entryIds.some((id) => ids.has(id)));
}

function outerRequests(request: SummaryRequest): Entry[] {
  const requests = replacedEntries(request).filter(isRequest);
  return [...new Set([...requests.slice(0, 1), ...requests.slice(-1)])];
}

/** Whether the protected core, which stands in the context anyway, contains this word for word. */
export function isInCore(content: string, core: CoreState | null): boolean {
  return core !== null && oneLine(coreText(core)).includes(oneLine(content));
}
