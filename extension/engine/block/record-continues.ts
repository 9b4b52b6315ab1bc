import { type Entry, isPrompt } from '../conversation/entry';
import { oncePer } from '../conversation/once-per';
import type { SummaryRequest } from './summary';

/** The last line of a block that newer messages follow. */
export const recordContinues = '(The record goes on after this.)';

/** Blocks of these types lie between other messages of their turn. */
const between: ReadonlySet<string> = new Set(['tool_call_batch', 'conversation', 'goal_batch']);

/** Whether the block says that newer messages follow: only if they concern the same work. */
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

/** Whether the newest replaced turn continues after the replaced entries. */
export function isTurnCut(request: SummaryRequest): boolean {
  const next = request.context?.[followingIndex(request)];
  return next !== undefined && !isPrompt(next);
}

/** Whether the record continues after the replaced entries. */
export function isFollowed(request: SummaryRequest): boolean {
  const newest = request.context?.at(-1)?.id;
  return newest !== undefined && newest !== lastId(request);
}

/** The entries of the context after the replaced ones. */
export function followingEntries(request: SummaryRequest): readonly Entry[] {
  return request.context?.slice(followingIndex(request)) ?? [];
}

/** Index in the context; 0 if the replaced entries are not in it. */
function followingIndex(request: SummaryRequest): number {
  const { context = [] } = request;
  return (placesIn(context).get(lastId(request) ?? '') ?? -1) + 1;
}

/** By id. Requests for all blocks of a run have the same context. */
const placesIn = oncePer((entries: readonly Entry[]) => new Map(entries.map(({ id }, at) => [id, at])));

function lastId({ turns }: SummaryRequest): string | undefined {
  const last = turns.at(-1);
  return last?.entries.at(-1)?.id ?? last?.user?.id;
}

/** Adds the line that the record continues, if it does. */
export function withEnd(body: string, request: SummaryRequest): string {
  return body.trim() === '' || !saysThatRecordContinues(request) ? body : `${body.trimEnd()}\n\n${recordContinues}`;
}

/** Splits a body into its text and that line; the line is empty if the body lacks it. */
export function withoutEnd(body: string): { readonly text: string; readonly end: string } {
  const whole = body.trimEnd();
  if (!whole.endsWith(recordContinues)) return { text: whole, end: '' };
  return { text: whole.slice(0, -recordContinues.length).trimEnd(), end: recordContinues };
}
