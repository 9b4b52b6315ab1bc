import { type Entry, textOf } from '../conversation/entry';
import { oneLine } from '../conversation/text';

/** Something that the agent offered to choose from, verbatim but for white space and marks. */
export interface Option {
  readonly text: string;
  readonly entryId: string;
  /** Number of things that were offered. */
  readonly of: number;
}

const maxLength = 300;

/** "7", "5 seems like a low hanging fruit", "option b please". */
const pick =
  /^\W*(?:(?:ok(?:ay)?|yes|do|lets?|let['’]s|go with|go for|take|the|option|number|nr\.?|no\.)[\s,]+)*[#(]?(\d{1,2}|[a-h])[).:]?(?=$|\s+(?!\d)\p{L}|\s*[,.!–-])/iu;

/** "can you fix option 1" */
const mention = /\b(?:option|choice|variant|number)\s+#?(\d{1,2}|[a-h])\b/i;

/** Longer messages that begin with a number tell something else. */
const maxWords = 24;

/** The option of a reply that a message picks by its number; null if it picks none. */
export function optionPicked(message: string, reply: Entry): Option | null {
  const [, picked] = message.split(/\s+/).length <= maxWords ? (pick.exec(message) ?? mention.exec(message) ?? []) : [];
  if (picked === undefined || (/^a$/i.test(picked) && message.length > 2)) return null;
  const options = optionsIn(textOf(reply.parts));
  const text = options.get(picked.toLowerCase());
  return text === undefined ? null : { text, entryId: reply.id, of: options.size };
}

const listed =
  /^\s*(?:[-*]\s+)?(?:#{1,6}\s+)?(?:\*\*)?(?:option\s+)?(\d{1,2}|[a-hA-H])(?:\*\*)?(?:[.):]|\s+[—–-])(?:\*\*)?\s+(.+)$/i;
const row = /^\s*\|\s*(?:\*\*)?(\d{1,2}|[a-hA-H])(?:\*\*)?\s*\|(.+)\|\s*$/;

/** What a reply offers to choose from, by number. */
export function offeredIn(reply: Entry): readonly string[] {
  return [...optionsIn(textOf(reply.parts)).values()];
}

/** The numbered items of a text, of its lists and tables. Of equal numbers the last one counts. */
function optionsIn(text: string): Map<string, string> {
  const options = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, number, words] = listed.exec(line) ?? row.exec(line) ?? [];
    if (number !== undefined && words !== undefined) options.set(number.toLowerCase(), wordsOf(words));
  }
  return options;
}

/** The first cell of a row. */
function wordsOf(item: string): string {
  const [first = ''] = item.split('|');
  return oneLine(first.replaceAll('**', '')).slice(0, maxLength);
}
