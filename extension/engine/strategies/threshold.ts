import type { CompactionPlan, Parameters, PlanInput, PlanOutcome } from '../block/plan';
import { sections } from '../block/sections';
import { nothingOld, type Strategy, smallestWorthwhile } from '../block/strategy';
import { type ContextMessage, tokensOf } from '../conversation/context';
import { isAgentWork } from '../conversation/steps';
import { endOfOld, oldSegments, openerOf, type Segment } from '../conversation/turns';
import { agentMessageCount, type SentenceOf } from '../wording/counts';
import { localizable } from '../wording/localizable-text';

/** Defaults: docs/specification/strategies.md, "Threshold summaries". */
const defaults = {
  /** Share of the context window, in percent, at which this tier starts automatically. */
  thresholdPercent: 80,
  /** A turn must end this many messages before the newest one. */
  messagesOldThreshold: 20,
};

export const thresholdStrategy: Strategy<typeof defaults> = {
  name: 'threshold',
  title: localizable('Threshold'),
  description: localizable(
    'Above a share of the window, replaces what the agent said in an old turn by one [SUMMARIZED] block. The person’s message stays as it is.',
  ),
  defaults,
  keepingNothing: { messagesOldThreshold: 0 },
  sharesCalls: true,
  startsAt: (contextWindow, { thresholdPercent }) => (contextWindow * thresholdPercent) / 100,
  untouchedFrom: ({ messages }, { messagesOldThreshold }) => endOfOld(messages, messagesOldThreshold),
  plan(input, parameters) {
    const waiting = belowThreshold(input, parameters);
    if (waiting) return waiting;
    const old = oldSegments(input.messages, parameters.messagesOldThreshold);
    const candidates = old.map((segment) => ({ segment, replies: repliesOf(input.messages, segment) }));
    if (candidates.every(({ replies }) => replies.length === 0))
      return nothingOld(input.messages, (segment) => repliesOf(input.messages, segment).length > 0);
    const worthwhile = candidates.filter(({ replies }) => isWorthwhile(replies, input));
    if (worthwhile.length === 0) return { kind: 'too-small' };
    const reasonOf: SentenceOf = (counted) =>
      localizable('{0} in a turn that is more than {1} messages old.', counted, parameters.messagesOldThreshold);
    const plans = worthwhile.map(({ segment, replies }) =>
      conversationPlan(openerOf(input.messages, segment), replies, parameters, reasonOf),
    );
    if (input.trigger === 'manual') return { kind: 'planned', plans };
    return { kind: 'planned', plans, enoughAt: (input.contextWindow * parameters.thresholdPercent) / 100 };
  },
};

function belowThreshold(
  { trigger, tokens, contextWindow }: PlanInput,
  { thresholdPercent }: typeof defaults,
): PlanOutcome | null {
  const percent = (tokens.total / contextWindow) * 100;
  if (trigger === 'manual' || percent >= thresholdPercent) return null;
  return {
    kind: 'not-triggered',
    reason: localizable(
      'The context fills {0} % of the window; this step begins at {1} %.',
      Math.floor(percent),
      thresholdPercent,
    ),
  };
}

/** The agent's replies, tool calls and results, without user messages and blocks. */
function repliesOf(messages: readonly ContextMessage[], segment: Segment): ContextMessage[] {
  return messages.slice(segment.start, segment.end).filter(isAgentWork);
}

function isWorthwhile(replies: readonly ContextMessage[], { rejected }: PlanInput): boolean {
  const [first] = replies;
  return first !== undefined && !rejected.has(first.key) && tokensOf(replies) >= smallestWorthwhile;
}

/** One block for what the agent said and did in one turn. `reasonOf` gives the reason for so many messages. */
export function conversationPlan(
  user: ContextMessage | null,
  replaced: readonly ContextMessage[],
  parameters: Parameters,
  reasonOf: SentenceOf,
): CompactionPlan {
  return {
    strategy: thresholdStrategy.name,
    parameters,
    summaryType: 'conversation',
    sections: sections.conversation,
    turns: [{ user, replaced }],
    reason: reasonOf(agentMessageCount(replaced.length)),
  };
}
