import { type Entry, entryMarks, type Origin, type Part, type Role } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import { shownInput } from '../records/tool-input';

const writtenEntry = s.record({
  id: s.name,
  role: s.oneOf(['system', 'user', 'assistant', 'tool']),
  parts: s.jsonRecords,
  timestamp: s.name,
  usage: s.optionalRecord({
    input: s.countOrZero,
    output: s.countOrZero,
    cacheRead: s.countOrZero,
    cacheWrite: s.countOrZero,
  }),
  countedTokens: s.count,
  sentPrefix: s.textOrNull,
  model: s.name,
  ...(Object.fromEntries(entryMarks.map((mark) => [mark, s.flag])) as Record<EntryMark, typeof s.flag>),
});

type EntryMark = (typeof entryMarks)[number];

/** The entry of a record; null if it is not one. The file is Strata's own, but any program may have written to it. */
export function readWrittenEntry(value: unknown, origin: Origin): Entry | null {
  const { id, role, parts, timestamp, usage, countedTokens, sentPrefix, model, ...marks } = s.read(writtenEntry, value);
  if (id === null || role === null) return null;
  return {
    id,
    role,
    parts: parts
      .map(partOf)
      .filter((part) => part !== null)
      .filter((part, index) => belongs(part, role, index))
      // A copy, because a grown list keeps spare room, which is most of the memory of a short message.
      .slice(),
    timestamp,
    origin,
    ...(usage === null ? {} : { usage }),
    ...(countedTokens === null ? {} : { countedTokens }),
    ...(sentPrefix === null ? {} : { sentPrefix }),
    ...(model === null ? {} : { model }),
    ...Object.fromEntries(entryMarks.filter((mark) => marks[mark]).map((mark) => [mark, true])),
  };
}

/** Only a reply calls tools. Each result is a separate entry, followed at most by pictures. */
function belongs({ type }: Part, role: Role, index: number): boolean {
  if (type === 'tool_call') return role === 'assistant';
  return type !== 'tool_result' || (role === 'tool' && index === 0);
}

const writtenPart = s.record({
  type: s.name,
  text: s.text,
  callId: s.textOrNull,
  name: s.text,
  input: s.anything,
  isError: s.flag,
  mediaType: s.textOrNull,
  data: s.name,
  names: s.texts,
});

export function partOf(value: s.JsonRecord): Part | null {
  const { type, text, callId, name, input, isError, mediaType, data, names } = s.read(writtenPart, value);
  switch (type) {
    case 'text':
    case 'reasoning':
      return { type, text };
    case 'tool_call':
      return callId === null ? null : { type, callId, name, input: shownInput(input) };
    case 'tool_result':
      return callId === null ? null : { type, callId, name: name === '' ? null : name, text, isError };
    case 'image':
      return { type, mediaType: mediaType ?? 'image/*', data };
    case 'tool_definitions':
      return { type, names, text };
    default:
      return null;
  }
}
