import type { CompactionPlan, Parameters, PlanInput, PlanOutcome } from '../block/plan';
import { sections } from '../block/sections';
import { nothingOld, type Strategy, smallestWorthwhile } from '../block/strategy';
import { blockOf, type ContextMessage, tokensOf } from '../conversation/context';
import { toolCalls, toolResults } from '../conversation/entry';
import { endOfOld, isProgramNote, oldSegments, openerOf, type Segment } from '../conversation/turns';
import { type SentenceOf, toolCallCount } from '../wording/counts';
import { localizable } from '../wording/localizable-text';

/** Defaults: docs/specification/strategies.md, "Tool-call batches". Either of the last two triggers a run. */
const defaults = {
  /** A turn must end this many messages before the newest one. */
  messagesOldThreshold: 20,
  /** Starts automatically when there are this many old tool calls. */
  minToolCallsToSummarize: 10,
  /** Starts automatically when a tool call is more than this many messages old. */
  maxToolCallDistance: 40,
};

/** A reply with tool calls and all of their results. */
interface ToolGroup {
  readonly messages: readonly ContextMessage[];
  readonly calls: number;
  /** Index of the reply in the context. */
  readonly at: number;
}

export const toolCallsStrategy: Strategy<typeof defaults> = {
  name: 'tool-calls',
  title: localizable('Tool calls'),
  description: localizable(
    'Replaces the tool calls and results of an old turn by one [SUMMARIZED] block. The person’s message and the agent’s other replies stay as they are.',
  ),
  defaults,
  keepingNothing: { messagesOldThreshold: 0, minToolCallsToSummarize: 1, maxToolCallDistance: 0 },
  startsByCount: true,
  sharesCalls: true,
  untouchedFrom: ({ messages }, { messagesOldThreshold }) => endOfOld(messages, messagesOldThreshold),
  plan(input, parameters) {
    const { messages } = input;
    const old = oldSegments(messages, parameters.messagesOldThreshold);
    const groups = new Map(old.map((segment) => [segment, groupsOf(messages, segment)]));
    const all = [...groups.values()].flat();
    if (all.length === 0) return nothingOld(messages, (segment) => groupsOf(messages, segment).length > 0);
    const worthwhile = [...groups].filter(([, ofSegment]) => isWorthwhile(ofSegment, input));
    if (worthwhile.length === 0) return { kind: 'too-small' };
    const ready = worthwhile.flatMap(([, ofSegment]) => ofSegment);
    if (!triggered(input, ready, parameters)) return waiting(ready);
    return {
      kind: 'planned',
      plans: worthwhile.map(([segment, ofSegment]) =>
        toolCallPlan(openerOf(messages, segment), ofSegment, parameters, (counted) =>
          localizable('{0} of a turn that is more than {1} messages old.', counted, parameters.messagesOldThreshold),
        ),
      ),
    };
  },
};

/** Counts only calls that a run would replace, because the calls that it leaves must not start the next run. */
function triggered({ trigger, messages }: PlanInput, groups: readonly ToolGroup[], parameters: typeof defaults) {
  const oldest = groups[0]?.at ?? messages.length;
  return (
    trigger === 'manual' ||
    callsIn(groups) >= parameters.minToolCallsToSummarize ||
    messages.length - oldest > parameters.maxToolCallDistance
  );
}

function callsIn(groups: readonly ToolGroup[]): number {
  return groups.reduce((total, group) => total + group.calls, 0);
}

function waiting(groups: readonly ToolGroup[]): PlanOutcome {
  const calls = callsIn(groups);
  const reason =
    calls === 1 ? localizable('Only 1 old tool call so far.') : localizable('Only {0} old tool calls so far.', calls);
  return { kind: 'not-triggered', reason };
}

export function isWorthwhile(groups: readonly ToolGroup[], { rejected }: Pick<PlanInput, 'rejected'>): boolean {
  const [first] = groups[0]?.messages ?? [];
  const tokens = tokensOf(groups.flatMap((group) => group.messages));
  return first !== undefined && !rejected.has(first.key) && tokens >= smallestWorthwhile;
}

/** One block for the tool calls of one turn. `reasonOf` gives the reason for so many calls. */
export function toolCallPlan(
  user: ContextMessage | null,
  groups: readonly ToolGroup[],
  parameters: Parameters,
  reasonOf: SentenceOf,
): CompactionPlan {
  return {
    strategy: toolCallsStrategy.name,
    parameters,
    summaryType: 'tool_call_batch',
    sections: sections.toolCallBatch,
    turns: [{ user, replaced: groups.flatMap((group) => group.messages) }],
    reason: reasonOf(toolCallCount(callsIn(groups))),
  };
}

/**
 * Complete groups only: a call without a result stays, and so do results without a call. Some servers reuse ids, so a
 * result belongs to the newest reply before it, and to one call only. What the program of the agent says between two groups belongs to
 * the later one: after a block over both it would read as if it were new.
 */
export function groupsOf(messages: readonly ContextMessage[], segment: Pick<Segment, 'start' | 'end'>): ToolGroup[] {
  const groups: ToolGroup[] = [];
  let open: OpenGroup | null = null;
  let notes: ContextMessage[] = [];
  for (let at = segment.start; at < segment.end; at += 1) {
    const message = messages[at];
    if (!message || blockOf(message)) continue;
    if (isProgramNote(message)) {
      if (groups.length > 0 && open === null) notes.push(message);
    } else if (message.role === 'assistant') {
      open = openGroup(message, notes, at);
      notes = [];
    } else if (message.role === 'tool' && open && answers(open, message)) {
      open.messages.push(message);
      if (open.unanswered.length === 0) {
        groups.push({ messages: open.messages, calls: open.calls, at: open.at });
        open = null;
      }
    }
  }
  return groups;
}

interface OpenGroup {
  readonly messages: ContextMessage[];
  readonly calls: number;
  readonly at: number;
  readonly unanswered: string[];
}

function openGroup(reply: ContextMessage, notes: readonly ContextMessage[], at: number): OpenGroup | null {
  const unanswered = toolCalls(reply.parts).map((call) => call.callId);
  return unanswered.length === 0 ? null : { messages: [...notes, reply], calls: unanswered.length, at, unanswered };
}

function answers(group: OpenGroup, message: ContextMessage): boolean {
  const places = toolResults(message.parts).map((result) => group.unanswered.indexOf(result.callId));
  if (places.length === 0 || places.some((place) => place === -1)) return false;
  for (const result of toolResults(message.parts)) group.unanswered.splice(group.unanswered.indexOf(result.callId), 1);
  return true;
}
