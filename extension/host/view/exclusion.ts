import type { ContextMessage } from '../../engine/conversation/context';
import { toolCalls } from '../../engine/conversation/entry';
import { subjectOf } from '../../engine/conversation/tool-subject';
import { planExclusion } from '../../engine/run/change/exclusion';
import { oneLine } from './preview';

/** What the exclusion of a row takes out of the context besides that row. */
export interface ExclusionView {
  /** The row opens a turn, which goes as a whole. */
  readonly isTurn: boolean;
  /** Each tool call that goes with the row, by its tool and subject, oldest first. */
  readonly calls: readonly string[];
}

/** Null if nothing can be excluded; the exclusion itself says why. */
export function exclusionView(
  messages: readonly ContextMessage[],
  entryId: string,
  rowKey: string,
): ExclusionView | null {
  const plan = planExclusion(messages, entryId);
  if (plan.kind !== 'excludes') return null;
  const calls = plan.messages.flatMap(({ key, parts }) =>
    toolCalls(parts)
      .filter(({ callId }) => `${key}#${callId}` !== rowKey)
      .map((call) => oneLine(`${call.name} ${subjectOf(call)}`)),
  );
  return { isTurn: plan.summaryType === 'excluded_turns', calls };
}
