/*
 * How Cline 3.0.65 shortens texts in its requests, but not in its files. The limits are not recorded; environment
 * variables can change the limits of results and of a whole request.
 */

/** Limits in characters. */
const maximumResult = 8000;
const maximumFile = 50_000;
const maximumReply = 200_000;
const maximumReplyWithMarkup = 12_000;

/** If the text of a reply has at least this many tool-call tags, Cline applies the smaller limit. */
const runawayMarkup = 8;

/** The text inserted in place of the removed characters. */
export type CutMark = (characters: number) => string;

const resultMark: CutMark = (count) => `\n\n...[truncated ${count} chars]...\n\n`;

const replyMark: CutMark = (count) => `\n\n...[assistant text truncated: omitted ${count} chars]...\n\n`;

const markupMark: CutMark = (count) =>
  `\n\n...[assistant text truncated: omitted ${count} chars due to repeated tool-call markup]...\n\n`;

const markup =
  /<\s*(?:[|\uFF5C]\s*)?DSML\s*(?:[|\uFF5C]\s*)?(?:tool_calls|invoke)\b[^>]*>|<\s*\/?\s*(?:tool_calls?|function_calls?|invoke)\b[^>]*>/gi;

/** Keeps equally long parts at the start and the end of a text. The limit includes the mark. */
export function cutMiddle(text: string, limit: number, mark: CutMark): string {
  if (text.length <= limit) return text;
  const expected = endLength(limit, mark(text.length - limit));
  const marked = mark(text.length - expected * 2);
  const kept = endLength(limit, marked);
  return text.slice(0, kept) + marked + text.slice(text.length - kept);
}

function endLength(limit: number, marked: string): number {
  return Math.max(0, Math.floor((limit - marked.length) / 2));
}

export function cutResult(text: string): string {
  return cutMiddle(text, maximumResult, resultMark);
}

export function cutFile(text: string): string {
  return cutMiddle(text, maximumFile, resultMark);
}

export function cutReply(text: string): string {
  if (text.length <= maximumReplyWithMarkup) return text;
  const isMarkup = (text.match(markup)?.length ?? 0) >= runawayMarkup;
  return isMarkup ? cutMiddle(text, maximumReplyWithMarkup, markupMark) : cutMiddle(text, maximumReply, replyMark);
}
