import { asList, asRecord, asText } from '../../../extension/sessions/records/json';

/** The text of a message's content: a string, or the text blocks of a list. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => asText(block) ?? asText(asRecord(block)?.text) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}
