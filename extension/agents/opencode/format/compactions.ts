import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { Entry, Origin } from '../../../engine/conversation/entry';
import { timeText } from '../../../platform/json/time-text';
import { contextOf } from './context';
import type { ClearedResult, MessageEntries } from './entries';
import { compactionPart, isSummary, type MessagePart } from './message';

/**
 * Maximum time between two cleared results of one clearing, in milliseconds. OpenCode clears results one by one, each
 * with its own time.
 */
const maximumPause = 5000;

export function agentCompactions(messages: readonly MessageEntries[], origin: Origin): AgentCompaction[] {
  return [...summaries(messages, origin), ...clearings(messages, origin)].sort((one, other) =>
    (one.timestamp ?? '') < (other.timestamp ?? '') ? -1 : 1,
  );
}

function summaries(messages: readonly MessageEntries[], origin: Origin): AgentCompaction[] {
  const positions = messages.flatMap(({ message }, index) => (isSummary(message) ? [index] : []));
  const requests = positions.length === 0 ? new Map<string, Request>() : requestsIn(messages);
  return positions.flatMap((position) => {
    const summary = messages[position];
    const request = requests.get(summary?.message.data.parentID ?? '');
    if (summary === undefined || request === undefined) return [];
    const replacedEntryIds = missingIn(contextOf(messages, position + 1), contextOf(messages, request.position));
    return [summaryOf(summary, request.part, replacedEntryIds, origin)];
  });
}

/** A message that requested a compaction. */
interface Request {
  readonly position: number;
  readonly part: MessagePart;
}

/** By message id. */
function requestsIn(messages: readonly MessageEntries[]): Map<string, Request> {
  const found = new Map<string, Request>();
  for (const [position, { message }] of messages.entries()) {
    const part = compactionPart(message);
    if (part !== null) found.set(message.id, { position, part });
  }
  return found;
}

function summaryOf(
  { entries: [entry] }: MessageEntries,
  part: MessagePart,
  replacedEntryIds: readonly string[],
  origin: Origin,
): AgentCompaction {
  return {
    id: part.id,
    kind: 'summary',
    timestamp: entry?.timestamp ?? null,
    summaryEntryId: entry?.id ?? null,
    replacedEntryIds,
    tokensBefore: null,
    tokensAfter: null,
    trigger: part.data.auto ? 'automatic' : 'manual',
    origin,
  };
}

function missingIn(after: readonly Entry[], before: readonly Entry[]): string[] {
  const kept = new Set(after.map(({ id }) => id));
  return before.map(({ id }) => id).filter((id) => !kept.has(id));
}

/** Old results that OpenCode stores but no longer sends. */
function clearings(messages: readonly MessageEntries[], origin: Origin): AgentCompaction[] {
  const groups: { started: number; ended: number; cleared: OrderedResult[] }[] = [];
  for (const result of clearedResults(messages)) {
    const group = groups.at(-1);
    if (group !== undefined && result.time - group.ended <= maximumPause) {
      group.ended = result.time;
      group.cleared.push(result);
    } else groups.push({ started: result.time, ended: result.time, cleared: [result] });
  }
  return groups.map(({ started, cleared }) => ({
    id: `cleared:${cleared[0]?.entryId}`,
    kind: 'cleared',
    timestamp: timeText(started),
    summaryEntryId: null,
    replacedEntryIds: cleared.sort((one, other) => one.order - other.order).map(({ entryId }) => entryId),
    tokensBefore: null,
    tokensAfter: null,
    trigger: 'automatic',
    origin,
  }));
}

interface OrderedResult extends ClearedResult {
  /** Position among the cleared results, in conversation order. */
  readonly order: number;
}

/** Ordered by clearing time. */
function clearedResults(messages: readonly MessageEntries[]): OrderedResult[] {
  const found: OrderedResult[] = [];
  for (const { clearedResults: cleared } of messages) {
    for (const result of cleared) found.push({ ...result, order: found.length });
  }
  return found.sort((one, other) => one.time - other.time);
}
