import { type Entry, toolCalls } from '../../../engine/conversation/entry';
import { missingResult } from '../../../sessions/records/missing-result';

/** Output that Codex sends for a call without a result, as seen in requests of version 0.169. */
const aborted = 'aborted';

/**
 * The messages as Codex sends them. A result without an earlier call is left out; a call without a result gets an
 * artificial one directly after it. Calls of the newest reply may still be running, so they are left open.
 */
export function sendable(entries: readonly Entry[]): Entry[] {
  const { kept, unanswered } = paired(entries);
  const newest = kept.findLast((entry) => entry.role === 'assistant');
  const wentOn = newest !== undefined && kept.slice(kept.indexOf(newest) + 1).some((entry) => entry.role === 'user');
  return kept.flatMap((entry) => {
    const open = entry === newest && !wentOn ? undefined : unanswered.get(entry);
    return open === undefined ? [entry] : [entry, ...missingResults(entry, open)];
  });
}

interface Paired {
  readonly kept: readonly Entry[];
  /** Ids of calls without a result, by reply. */
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

function missingResults(reply: Entry, open: ReadonlySet<string>): Entry[] {
  const names = new Map(toolCalls(reply.parts).map((call) => [call.callId, call.name]));
  return [...open].map((callId) => missingResult(reply, { callId, name: names.get(callId) ?? null, text: aborted }));
}
