import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { Entry, Origin } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { asName } from '../records/json';
import { contextOf } from './context';
import type { ClearedResult, MessageEntries } from './entries';
import { compactionPart, isSummary } from './message';

/** Milliseconds. Results are cleared one after the other, each with a time of its own. */
const longestClearing = 5000;

export function agentCompactions(messages: readonly MessageEntries[], origin: Origin): AgentCompaction[] {
  return [...summaries(messages, origin), ...clearings(messages, origin)].sort((one, other) =>
    (one.timestamp ?? '') < (other.timestamp ?? '') ? -1 : 1,
  );
}

function summaries(messages: readonly MessageEntries[], origin: Origin): AgentCompaction[] {
  if (!messages.some(({ message }) => isSummary(message))) return [];
  const places = new Map(messages.map(({ message }, index) => [message.id, index]));
  return messages.flatMap((summary, index) => {
    if (!isSummary(summary.message)) return [];
    const asked = places.get(asName(summary.message.data.parentID) ?? '');
    const request = asked === undefined ? undefined : messages[asked];
    const part = request === undefined ? null : compactionPart(request.message);
    if (asked === undefined || part === null) return [];
    const before = contextOf(messages.slice(0, asked));
    const [entry] = summary.entries;
    return [
      {
        id: part.id,
        kind: 'summary',
        timestamp: entry?.timestamp ?? null,
        summaryEntryId: entry?.id ?? null,
        replacedEntryIds: missingIn(contextOf(messages.slice(0, index + 1)), before),
        tokensBefore: null,
        tokensAfter: null,
        trigger: part.data.auto === true ? 'automatic' : 'manual',
        origin,
      },
    ];
  });
}

function missingIn(after: readonly Entry[], before: readonly Entry[]): string[] {
  const kept = new Set(after.map(({ id }) => id));
  return before.map(({ id }) => id).filter((id) => !kept.has(id));
}

/** Old results that OpenCode does not send any more, though it keeps them. */
function clearings(messages: readonly MessageEntries[], origin: Origin): AgentCompaction[] {
  const groups: { started: number; ended: number; ids: string[] }[] = [];
  for (const { time, entryId } of clearedResults(messages)) {
    const group = groups.at(-1);
    if (group !== undefined && time - group.ended <= longestClearing) {
      group.ended = time;
      group.ids.push(entryId);
    } else groups.push({ started: time, ended: time, ids: [entryId] });
  }
  if (groups.length === 0) return [];
  const order = new Map(messages.flatMap(({ entries }) => entries).map(({ id }, index) => [id, index]));
  return groups.map(({ started, ids }) => ({
    id: `cleared:${ids[0]}`,
    kind: 'cleared',
    timestamp: timeText(started),
    summaryEntryId: null,
    replacedEntryIds: ids.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0)),
    tokensBefore: null,
    tokensAfter: null,
    trigger: 'automatic',
    origin,
  }));
}

function clearedResults(messages: readonly MessageEntries[]): ClearedResult[] {
  const found: ClearedResult[] = [];
  for (const { clearedResults: cleared } of messages) append(found, cleared);
  return found.sort((one, other) => one.time - other.time);
}

function timeText(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
