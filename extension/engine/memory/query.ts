import type { SummaryRequest } from '../block/summary';
import { oneLine, unique } from '../conversation/text';
import { type CoreState, coreText } from '../core/core';

/** The query for recall: the user's latest request, the pinned goal and the instructions for this compaction. */
export function queryOf({ liveGoal, core, instructions }: SummaryRequest): string {
  return unique([instructions ?? '', core?.current_goal ?? '', liveGoal ?? '']).join('\n');
}

/** Whether the protected core, which stands in the context anyway, contains this word for word. */
export function isInCore(content: string, core: CoreState | null): boolean {
  return core !== null && oneLine(coreText(core)).includes(oneLine(content));
}
