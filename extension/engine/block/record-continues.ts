import { isPrompt } from '../conversation/entry';
import type { SummaryRequest } from './summary';

/** Stands at the end of a block that newer messages follow. */
export const recordContinues = '(The record goes on after this.)';

/** Blocks of these types stand between the messages around them. */
const between: ReadonlySet<string> = new Set(['tool_call_batch', 'conversation', 'goal_batch']);

/** Whether the block says that newer messages follow it: where they are about what it is about. */
export function saysThatRecordContinues(request: SummaryRequest): boolean {
  return isFollowed(request) && (isLive(request) || !between.has(request.summaryType));
}

/** Whether the newest request of the context is in the newest of the replaced turns, or right before it. */
export function isLive({ turns, context }: SummaryRequest): boolean {
  const newest = context?.findLast(isPrompt);
  const last = turns.at(-1);
  if (newest === undefined || last === undefined) return true;
  return last.user?.id === newest.id || last.entries.some(({ id }) => id === newest.id);
}

/** Whether the record goes on after the replaced entries. */
function isFollowed({ turns, context = [] }: SummaryRequest): boolean {
  const last = turns.at(-1);
  const lastId = last?.entries.at(-1)?.id ?? last?.user?.id;
  const newest = context.at(-1)?.id;
  return newest !== undefined && newest !== lastId;
}
