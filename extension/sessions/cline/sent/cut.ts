/*
 * What Cline 3.0.65 shortens in its requests alone. Its limits stand in no file; variables of its environment can change
 * that of results and that of a whole request.
 */

/** Characters. */
const longestResult = 8000;
const longestFile = 50_000;
const longestReply = 200_000;
const longestReplyWithMarkup = 12_000;

/** Tool calls written as text, that many of them, are taken for a model that ran away. */
const muchMarkup = 8;

/** What stands where so many characters were. */
export type CutMark = (characters: number) => string;

export const resultMark: CutMark = (count) => `\n\n...[truncated ${count} chars]...\n\n`;

const replyMark: CutMark = (count) => `\n\n...[assistant text truncated: omitted ${count} chars]...\n\n`;

const markupMark: CutMark = (count) =>
  `\n\n...[assistant text truncated: omitted ${count} chars due to repeated tool-call markup]...\n\n`;

const markup =
  /<\s*(?:[|\uFF5C]\s*)?DSML\s*(?:[|\uFF5C]\s*)?(?:tool_calls|invoke)\b[^>]*>|<\s*\/?\s*(?:tool_calls?|function_calls?|invoke)\b[^>]*>/gi;

/** Keeps the start and the end of a text, equally long. The mark counts as part of what may be sent. */
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
  return cutMiddle(text, longestResult, resultMark);
}

export function cutFile(text: string): string {
  return cutMiddle(text, longestFile, resultMark);
}

export function cutReply(text: string): string {
  if (text.length <= longestReplyWithMarkup) return text;
  const isMarkup = (text.match(markup)?.length ?? 0) >= muchMarkup;
  return isMarkup ? cutMiddle(text, longestReplyWithMarkup, markupMark) : cutMiddle(text, longestReply, replyMark);
}
