import { followingEntries, isFollowed, isLive, saysThatRecordContinues } from '../block/record-continues';
import type { SummaryRequest } from '../block/summary';
import { quotation } from '../language/quotation';
import { operationPieces } from './history';
import { textWithin } from './pieces';

const state = 'The state of the work and the next action are those after the last step of the record.';

const ends = {
  now: `The record ends where the work stands now. ${state}`,
  /** An old turn is followed by messages about something else. */
  beforeTurn: [
    'The record ends before the newest turn. The messages of that turn follow your text in the context, and what they say is newer.',
    `${state} Say nothing about the progress of a request that is not in the record.`,
  ].join('\n'),
};

/**
 * The newer messages are given to the writer, because an outdated state would send the reader back to finished work.
 */
const followed = [
  'Newer messages follow the record. They stay in the context word for word after your text, so do not retell them. But the newest request, the state of',
  'the work, what is open and the next action are those at their end: leave out what they finished, and call nothing open that they did.',
];

/** Describes the end of the record, so that a summary does not call work unfinished that newer messages finish. */
export function endOfRecord(request: SummaryRequest, isAbove = false): string {
  if (!isFollowed(request)) return ends.now;
  if (!isLive(request) && !saysThatRecordContinues(request)) return ends.beforeTurn;
  return [...followed, isAbove ? 'They stand after the record above.' : `They are quoted as ${followingTitle}.`].join(
    '\n',
  );
}

const followingTitle = 'what follows';

/** The newer messages as material, in at most so many tokens; the newest whole, longest outputs shortened first. */
export function followingPart(request: SummaryRequest, maxTokens: number): string[] {
  if (!saysThatRecordContinues(request)) return [];
  const entries = followingEntries(request);
  const pieces = operationPieces([{ user: null, userIsReplaced: false, entries, blocks: [] }]);
  if (pieces.length === 0) return [];
  return [quotation(followingTitle, textWithin(pieces, maxTokens, request.countTokens))];
}
