import { type Entry, toolCalls } from '../../engine/conversation/entry';
import { lastWhere } from '../records/last';

/** What Codex answers a call with that never got a result, as seen in requests of version 0.169. */
const missingResult = 'aborted';

/**
 * The messages as Codex sends them: a result without a call before it is left out, a call that never got a result has
 * one made up right behind it. The newest reply's calls may still be running, so they stay as they are.
 */
export function sendable(entries: readonly Entry[]): Entry[] {
  const { kept, unanswered } = paired(entries);
  const newest = lastWhere(kept, (entry) => entry.role === 'assistant');
  const wentOn = newest !== undefined && kept.slice(kept.indexOf(newest) + 1).some((entry) => entry.role === 'user');
  return kept.flatMap((entry) => {
    const open = entry === newest && !wentOn ? undefined : unanswered.get(entry);
    return open === undefined ? [entry] : [entry, ...missingResults(entry, open)];
  });
}

interface Paired {
  readonly kept: readonly Entry[];
  /** Calls without a result, by the reply that they are in. */
  readonly unanswered: ReadonlyMap<Entry, ReadonlySet<string>>;
}

function paired(entries: readonly Entry[]): Paired {
  const askers = new Map<string, Entry>();
  const unanswered = new Map<Entry, Set<string>>();
  const giveUp = (callId: string, entry: Entry) => {
    unanswered.set(entry, (unanswered.get(entry) ?? new Set()).add(callId));
  };
  const ask = (callId: string, entry: Entry) => {
    const earlier = askers.get(callId);
    if (earlier !== undefined && earlier !== entry) giveUp(callId, earlier);
    askers.set(callId, entry);
  };
  const kept = entries.filter((entry) => {
    for (const call of toolCalls(entry.parts)) ask(call.callId, entry);
    const [part] = entry.parts;
    return part?.type !== 'tool_result' || askers.delete(part.callId);
  });
  for (const [callId, entry] of askers) giveUp(callId, entry);
  return { kept, unanswered };
}

/** It stands in no record, so its origin is that of the call. */
function missingResults(reply: Entry, open: ReadonlySet<string>): Entry[] {
  const calls = new Map(toolCalls(reply.parts).map((call) => [call.callId, call.name]));
  return [...open].map((callId) => ({
    id: `${reply.id}:no-result:${callId}`,
    role: 'tool',
    parts: [{ type: 'tool_result', callId, name: calls.get(callId) ?? null, text: missingResult, isError: true }],
    timestamp: null,
    origin: reply.origin,
  }));
}
