import type { RequestedTurn, SummaryRequest } from '../block/summary';
import { type Entry, readableText } from '../conversation/entry';
import { brief } from '../conversation/text';

/** Long enough to tell messages apart. */
const shownLength = 160;

/**
 * Says where the record is for a model that is asked in the conversation itself, where the record stands above. Its
 * provider then has the history in its prompt cache.
 */
export function recordAbove({ turns }: SummaryRequest): string {
  const messages = turns.flatMap(messagesOf);
  const [first, last] = [messages[0], messages.at(-1)];
  return [
    'The record is the conversation above this message. Call no tool and do not go on with the work: write about it.',
    ...(first === undefined ? [] : [`The record begins with the message that says: ${shown(first)}`]),
    ...(last === undefined ? [] : [`It ends with the message that says: ${shown(last)}`]),
    'What follows that message stays as it is. Do not retell it.',
  ].join('\n');
}

/** The texts of a turn's messages as they stand above: a block has the place of the entries beneath it. */
function messagesOf({ user, userIsReplaced, entries, blocks }: RequestedTurn): string[] {
  const beneath = new Set(blocks.flatMap(({ entryIds }) => entryIds));
  const [firstId] = beneath;
  const texts = entries.flatMap((entry) => {
    if (!beneath.has(entry.id)) return textOf(entry);
    return entry.id === firstId ? blocks.map(({ text }) => text) : [];
  });
  return user && userIsReplaced ? [textOf(user), ...texts] : texts;
}

function textOf({ parts }: Entry): string {
  return parts.map(readableText).join(' ');
}

function shown(text: string): string {
  return JSON.stringify(brief(text, shownLength));
}
