import type { Note } from '../block/memory';
import type { SummaryRequest } from '../block/summary';
import { replacedEntries } from '../compaction/request';
import { oneLine, unique } from '../conversation/text';
import { type CoreState, coreText } from '../core/core';
import { personSaid } from '../language/directions';
import { goalsIn } from '../language/goals';
import { goalsTold } from './goals-told';

/**
 * What recall looks for: the user's latest request with the pinned goal and the instructions for this compaction, and each goal of
 * the replaced entries. A note has to be near to one of them.
 */
export function queriesOf(request: SummaryRequest): string[] {
  const { liveGoal, core, instructions } = request;
  const asked = unique([instructions ?? '', core?.current_goal ?? '', liveGoal ?? '']).join('\n');
  const goals = goalsIn(personSaid(replacedEntries(request))).map(({ text }) => text);
  return unique([asked, ...goals]).filter((text) => text.trim() !== '');
}

/** Notes that state a goal. */
export function notesOfGoals(request: SummaryRequest, notes: readonly Note[]): Note[] {
  const goals = goalsTold(personSaid(replacedEntries(request)));
  return notes.filter(({ category, content, entryIds }) =>
    goals.some(({ text, entryId }) => entryIds.includes(entryId) && category !== 'conclusion' && shares(content, text)),
  );
}

/** A note may be a part of what was said, or more than the goal alone. */
function shares(content: string, text: string): boolean {
  const [note, goal] = [oneLine(content).replace(/…$/, ''), oneLine(text)];
  return note.includes(goal) || goal.includes(note);
}

/** Whether the protected core, which stands in the context anyway, contains this word for word. */
export function isInCore(content: string, core: CoreState | null): boolean {
  return core !== null && oneLine(coreText(core)).includes(oneLine(content));
}
