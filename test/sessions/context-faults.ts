import { type Entry, toolCalls, toolResults } from '../../extension/engine/conversation/entry';

/**
 * The faults for which a provider would refuse a list of messages: a result without its call before it, a call with two
 * results or none (except a call of the newest reply, which may be running), and an entry that occurs twice.
 */
export function contextFaults(context: readonly Entry[]): string[] {
  return [...repeatedEntries(context), ...strayResults(context), ...unansweredCalls(context)];
}

function repeatedEntries(context: readonly Entry[]): string[] {
  const ids = context.map((entry) => entry.id);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} stands twice`);
}

function strayResults(context: readonly Entry[]): string[] {
  const open = new Set<string>();
  const faults: string[] = [];
  for (const entry of context) {
    for (const call of toolCalls(entry.parts)) open.add(call.callId);
    for (const result of toolResults(entry.parts)) {
      if (!open.delete(result.callId)) faults.push(`${entry.id} has a result without an open call ${result.callId}`);
    }
  }
  return faults;
}

function unansweredCalls(context: readonly Entry[]): string[] {
  const answered = new Set(context.flatMap((entry) => toolResults(entry.parts).map((result) => result.callId)));
  const newestReply = context.filter((entry) => entry.role === 'assistant').at(-1);
  const wentOn = context
    .slice(newestReply ? context.indexOf(newestReply) + 1 : 0)
    .some((entry) => entry.role === 'user' && !entry.injected);
  return context
    .filter((entry) => entry !== newestReply || wentOn)
    .flatMap((entry) => toolCalls(entry.parts).filter((call) => !answered.has(call.callId)))
    .map((call) => `the call ${call.callId} has no result`);
}
