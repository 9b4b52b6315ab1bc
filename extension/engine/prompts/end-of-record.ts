import { isFollowed, isLive } from '../block/record-continues';
import type { SummaryRequest } from '../block/summary';

const state = 'The state of the work and the next action are those after the last step of the record.';

const ends = {
  now: `The record ends where the work stands now. ${state}`,
  withinTurn: [
    'The record ends in the middle of the newest turn. Newer messages of mine follow your text in the context, and they may have done',
    `by then what is open here. ${state} Say "at the end of this record" where you name`,
    'what is open, and never that something was not begun.',
  ].join('\n'),
  beforeTurn: [
    'The record ends before the newest turn. The messages of that turn follow your text in the context, and what they say is newer.',
    `${state} Say nothing about the progress of a request that is not in the record.`,
  ].join('\n'),
};

/** Where the record ends, so that a summary does not call undone what newer messages have done. */
export function endOfRecord(request: SummaryRequest): string {
  if (!isFollowed(request)) return ends.now;
  return isLive(request) ? ends.withinTurn : ends.beforeTurn;
}
