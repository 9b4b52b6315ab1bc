import type { SummaryRequest } from '../block/summary';
import { type CoreState, coreText } from '../core/core';
import { oneSpaced, unique } from './text';

/** What a block is to recall for: what the person asked last, the goal that is pinned, and what they want looked at. */
export function queryOf({ liveGoal, core, instructions }: SummaryRequest): string {
  return unique([instructions ?? '', core?.current_goal ?? '', liveGoal ?? '']).join('\n');
}

/** Whether the protected core, which stands in the context anyway, says this word for word. */
export function isInCore(content: string, core: CoreState | null): boolean {
  return core !== null && oneSpaced(coreText(core)).includes(oneSpaced(content));
}
