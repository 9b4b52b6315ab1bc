import * as s from '../../../extension/platform/json/schemas';

/** The text of a message's content: a string, or the text blocks of a list. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return s
    .list(content)
    .map((block) => s.textOrNull(block) ?? s.text(s.jsonRecord(block)?.text))
    .filter((text) => text !== '')
    .join('\n');
}
