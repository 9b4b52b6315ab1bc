import type { CompactionPlan } from '../../block/plan';
import { sections } from '../../block/sections';
import type { Summarizer } from '../../block/summary';
import { buildRequest, entriesById, replacedEntries } from '../../compaction/request';
import { rejectionText, verify } from '../../compaction/verify';
import type { Context } from '../../conversation/context';
import type { Conversation } from '../../conversation/conversation';
import type { TokenLedger } from '../../conversation/tokens';
import { segmentsOf } from '../../conversation/turns';
import { type CoreState, coreText } from '../../core/core';
import { haloTurns } from '../../strategies/halo';
import { type LocalizableText, localizable } from '../../wording/localizable-text';

interface HandoffInput {
  readonly conversation: Conversation;
  readonly context: Context;
  readonly core: CoreState | null;
  /** The goal of the new thread. */
  readonly goal: string;
  readonly summarizer: Summarizer;
  readonly ledger: TokenLedger;
  /** Ids of the entries that the user excluded. */
  readonly excluded: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

type HandoffOutcome =
  | { readonly kind: 'drafted'; readonly text: string; readonly tokens: number }
  | { readonly kind: 'nothing-said' }
  | { readonly kind: 'rejected'; readonly reason: LocalizableText };

/** Maximum tokens of the summary in a draft, because a new thread should start nearly empty. */
const maxSummaryTokens = 4000;

/** Drafts the first message of a new thread: the goal, the core, and a summary of this thread with its live turn. */
export async function draftHandoff(input: HandoffInput): Promise<HandoffOutcome> {
  const { conversation, context, core, goal, summarizer, ledger, excluded, signal } = input;
  const plan = planOfAll(context);
  if (plan.turns.length === 0) return { kind: 'nothing-said' };
  const request = buildRequest(plan, {
    known: entriesById(conversation, excluded),
    isByModel: () => false,
    instructions: goal,
    core,
    liveGoal: goal,
    context: conversation.agentContext,
    countTokens: ledger.countText,
    isExtract: summarizer.model === null,
  });
  const { body } = await summarizer.summarize(request, signal);
  const verdict = verify({
    mode: 'repair',
    request,
    body,
    replaced: replacedEntries(request),
    isExtract: summarizer.model === null,
    limitTokens: Number.POSITIVE_INFINITY,
    tokensBefore: Number.POSITIVE_INFINITY,
    tokensOfBlock: ledger.countText,
  });
  if (verdict.kind === 'rejected') return { kind: 'rejected', reason: rejectionText(verdict) };
  const text = [goal.trim(), core ? coreText(core) : '', verdict.body.trim()]
    .filter((part) => part !== '')
    .join('\n\n');
  return { kind: 'drafted', text: `${text}\n`, tokens: ledger.countText(text) };
}

function planOfAll({ messages }: Context): CompactionPlan {
  return {
    strategy: 'handoff',
    parameters: {},
    summaryType: 'handoff',
    sections: sections.checkpoint,
    turns: haloTurns(messages, segmentsOf(messages)),
    reason: localizable('The whole thread.'),
    maxTokens: maxSummaryTokens,
  };
}
