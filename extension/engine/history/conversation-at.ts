import type { Branch, PlacedCompaction } from '../conversation/branch';
import type { Conversation } from '../conversation/conversation';
import { type Entry, isPrompt, toolCalls, toolResults } from '../conversation/entry';

/**
 * The conversation as it was after one entry of its branch, from what the session file says up to there. Records that
 * the agent rewrote have their newest text. Linear in the number of entries.
 */
export function conversationAt(conversation: Conversation, branch: Branch, step: number): Conversation {
  const newest = branch.entries[step];
  if (newest === undefined || step >= branch.entries.length - 1) return conversation;
  const entries = conversation.entries.slice(0, newest.at + 1);
  const made = new Set(branch.compactions.filter((placed) => placed.step <= step).map(({ compaction }) => compaction));
  return {
    ...conversation,
    entries,
    agentContext: withSystemPrompt(agentContextAt(conversation, branch, step), entries),
    agentCompactions: conversation.agentCompactions.filter((compaction) => made.has(compaction)),
  };
}

function agentContextAt({ agentContext }: Conversation, branch: Branch, step: number): Entry[] {
  const later = branch.compactions.filter((placed) => placed.step > step);
  const emptiedLater = new Set(
    later.flatMap(({ compaction }) => (compaction.kind === 'cleared' ? compaction.replacedEntryIds : [])),
  );
  const asThen = new Map(
    branch.entries
      .slice(0, step + 1)
      .map(({ entry, sent }) => [entry.id, sent === null || emptiedLater.has(entry.id) ? entry : sent]),
  );
  const order = later.reduceRight<readonly string[]>(
    (after, placed) => orderBefore(after, placed, branch),
    agentContext.map(({ id }) => id),
  );
  return order.flatMap((id) => asThen.get(id) ?? []);
}

/** Reconstructs the order of the entries before a compaction from the order after it. */
function orderBefore(
  after: readonly string[],
  { compaction, step }: PlacedCompaction,
  branch: Branch,
): readonly string[] {
  const { kind, summaryEntryId, replacedEntryIds } = compaction;
  if (kind === 'cleared') return after;
  const replaced = new Set(replacedEntryIds);
  const placeOf = (id: string) => branch.stepOf.get(id) ?? -1;
  const wasThere = (id: string) => placeOf(id) <= step && !isOfOneRecord(branch.entries[step]?.entry, entryOf(id));
  const entryOf = (id: string) => branch.entries[placeOf(id)]?.entry;
  const kept = after.filter((id) => id !== summaryEntryId && !replaced.has(id) && wasThere(id));
  return merged(kept, replacedEntryIds, (id) => (roleAt(branch, placeOf(id)) === 'system' ? -1 : placeOf(id)));
}

function roleAt({ entries }: Branch, step: number): Entry['role'] | undefined {
  return entries[step]?.entry.role;
}

/** Merges two lists by position. Each list keeps its own order, because an agent may send entries out of position. */
function merged(first: readonly string[], second: readonly string[], placeOf: (id: string) => number): string[] {
  const all: string[] = [];
  let next = 0;
  for (const id of second) {
    for (let head = first[next]; head !== undefined && placeOf(head) <= placeOf(id); head = first[next]) {
      all.push(head);
      next += 1;
    }
    all.push(id);
  }
  return all.concat(first.slice(next));
}

/** An agent that logs its system prompt again when it resumes sends the newest one. */
function withSystemPrompt(context: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const isSystem = ({ role }: Entry) => role === 'system';
  const newest = context.some(isSystem) ? undefined : entries.findLast(isSystem);
  return newest ? [newest, ...context] : [...context];
}

/**
 * The steps of a branch at which a request was or could have been sent: from the first prompt on, where every call has
 * its result and every record is complete. A system prompt is logged with the request that contains it. Ascending; the
 * last step is always included.
 */
export function requestSteps({ entries }: Branch, conversation: Conversation): number[] {
  const logged = new Set(conversation.entries.map(({ id }) => id));
  const open = new Set<string>();
  const steps: number[] = [];
  let hasBegun = false;
  /** An artificial result counts as following its call only when something else follows it. */
  let isMadeUp = false;
  for (const [step, { entry, at }] of entries.entries()) {
    for (const { callId } of toolCalls(entry.parts)) open.add(callId);
    for (const { callId } of toolResults(entry.parts)) open.delete(callId);
    hasBegun ||= isPrompt(entry);
    if (!logged.has(entry.id)) isMadeUp = true;
    else if (entry.role === 'assistant' || isPrompt(entry)) isMadeUp = false;
    const isWhole =
      open.size === 0 &&
      !isMadeUp &&
      conversation.entries[at + 1]?.role !== 'system' &&
      !isOfOneRecord(entry, entries[step + 1]?.entry);
    if ((hasBegun && isWhole) || step === entries.length - 1) steps.push(step);
  }
  return steps;
}

function isOfOneRecord(one: Entry | undefined, other: Entry | undefined): boolean {
  if (!one || !other) return false;
  return one.origin.line > 0 && one.origin.line === other.origin.line && one.origin.file === other.origin.file;
}
