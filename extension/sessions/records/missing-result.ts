import type { Entry, ToolResultPart } from '../../engine/conversation/entry';
import { oncePer } from '../../engine/conversation/once-per';

const madeFor = oncePer((_reply: Entry) => new Map<string, Entry>());

/**
 * The result that an agent sends for a call without one. No record contains it, so it has the origin of the call. One object for
 * each call, because entries are compared by identity.
 */
export function missingResult(reply: Entry, call: Pick<ToolResultPart, 'callId' | 'name' | 'text'>): Entry {
  const known = madeFor(reply);
  const key = `${call.callId} ${call.text}`;
  const entry = known.get(key) ?? {
    id: `${reply.id}:no-result:${call.callId}`,
    role: 'tool',
    parts: [{ type: 'tool_result', ...call, isError: true }],
    timestamp: null,
    origin: reply.origin,
  };
  known.set(key, entry);
  return entry;
}
