import type { SummaryRequest } from '../block/summary';
import { type Entry, readableText } from '../conversation/entry';
import { brief } from '../conversation/text';

/** Long enough to tell messages apart. */
const shownLength = 160;

/**
 * Says where the record is for a model that is asked in the conversation itself, where the record stands above. Its
 * provider then has the history in its prompt cache.
 */
export function recordAbove({ turns }: SummaryRequest): string {
  const entries = turns.flatMap(({ user, userIsReplaced, entries }) => [
    ...(user && userIsReplaced ? [user] : []),
    ...entries,
  ]);
  const [first, last] = [entries[0], entries.at(-1)];
  return [
    'The record is the conversation above this message. Call no tool and do not go on with the work: write about it.',
    ...(first ? [`The record begins with the message that says: ${shown(first)}`] : []),
    ...(last ? [`It ends with the message that says: ${shown(last)}`] : []),
    'What follows that message stays as it is. Do not write about it.',
  ].join('\n');
}

function shown({ parts }: Entry): string {
  return JSON.stringify(brief(parts.map(readableText).join(' '), shownLength));
}
