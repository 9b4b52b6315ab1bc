import * as s from '../../sessions/records/schemas';
import { isThinking } from '../formats/anthropic';
import { listWith, membersOf, type Piece } from './splice';

/** `text`: JSON of the message. A message of Anthropic without its thinking. Other blocks keep their exact text; without any, the message is dropped. */
export function withoutThinking({ content }: s.JsonRecord, text: string): Piece[] {
  const kept = s.read(s.list, content).flatMap((block, index): Piece[] => {
    return isThinking(block) ? [] : [{ kind: 'kept', index }];
  });
  const member = membersOf(text).get('content');
  if (kept.length === 0 || member === undefined) return [];
  const { start, end } = member.value;
  return [{ kind: 'new', text: `${text.slice(0, start)}${listWith(text, member, kept)}${text.slice(end)}` }];
}
