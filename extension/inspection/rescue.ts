import { branchOf } from '../engine/conversation/branch';
import type { AgentCompaction, Conversation } from '../engine/conversation/conversation';
import type { Entry } from '../engine/conversation/entry';
import type { CountTokens } from '../engine/conversation/tokens';
import type { JournalState } from '../engine/journal/journal-state';
import { type Forgotten, type ForgottenKind, forgottenOf, type Said } from '../engine/language/forgotten';
import { proposalKey, proposalsFromSentences } from '../engine/language/proposals';
import { forgottenPrompt } from '../engine/prompts/forgotten-prompt';
import { summaryOfAgent } from './compaction-loss';
import type { Inspection } from './inspection';
import type { Pinnable, Rescue } from './rescue-prompt';

/** `unreadable`: a summary in the agent's context is encrypted, so its content is unknown. */
export type RescueOutcome =
  | { readonly kind: 'forgot'; readonly rescue: Rescue }
  | { readonly kind: 'nothing-forgotten'; readonly compaction: AgentCompaction }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'not-compacted' };

/** Maximum counted tokens: a longer prompt would be a second summary. */
const promptBudget = 1000;

/** Order in which kinds are included if the budget is too small for all. */
const priorities: readonly ForgottenKind[] = ['rule', 'goal', 'open', 'request', 'decision', 'finding'];

/**
 * Compares what the agent's newest compaction replaced with the agent's current context. Clearing tool output does not
 * count, because it removes nothing that was said.
 */
export function rescueOf(inspection: Inspection): RescueOutcome {
  const { conversation } = inspection;
  const compaction = newestSummary(conversation);
  if (!compaction) return { kind: 'not-compacted' };
  if (hasEncryptedSummary(conversation)) return { kind: 'unreadable' };
  const entries = branchOf(conversation).entries.map(({ entry }) => entry);
  const forgotten = forgottenOf(entries, new Set(compaction.replacedEntryIds), saidTo(inspection));
  const fitting = fittingOf(forgotten, inspection.ledger.countText);
  if (fitting.length === 0) return { kind: 'nothing-forgotten', compaction };
  const prompt = forgottenPrompt(fitting);
  const tokens = inspection.ledger.countText(prompt);
  const pinnable = pinnableOf(fitting, entries);
  return { kind: 'forgot', rescue: { compaction, forgotten: fitting, prompt, tokens, pinnable } };
}

/** The agent's newest compaction with a summary. */
export function newestSummary({ agentCompactions }: Conversation): AgentCompaction | undefined {
  return agentCompactions.findLast(({ kind }) => kind === 'summary');
}

function hasEncryptedSummary({ agentCompactions, agentContext }: Conversation): boolean {
  const sent = new Set(agentContext.map(({ id }) => id));
  return agentCompactions.some(({ isOpaque, summaryEntryId }) => isOpaque && sent.has(summaryEntryId ?? ''));
}

/** Everything the agent reads: the messages of its context, and its memory files. */
function saidTo({ contextInAgent, memoryFiles }: Inspection): Said[] {
  const inFiles = memoryFiles.map(({ text }): Said => ({ role: 'system', parts: [{ type: 'text', text }] }));
  return [...inFiles, ...contextInAgent.messages];
}

function fittingOf(forgotten: readonly Forgotten[], count: CountTokens): readonly Forgotten[] {
  const chosen = new Set<Forgotten>();
  for (const kind of priorities) {
    for (const one of forgotten.filter((other) => other.kind === kind)) {
      chosen.add(one);
      if (count(forgottenPrompt([...chosen])) > promptBudget) chosen.delete(one);
    }
  }
  return forgotten.filter((one) => chosen.has(one));
}

/**
 * The forgotten current goal, rules and decisions. Older goals are left out: pinned, they would replace the current
 * one.
 */
function pinnableOf(forgotten: readonly Forgotten[], entries: readonly Entry[]): Pinnable[] {
  const current = proposalsFromSentences(entries).findLast(({ kind }) => kind === 'goal');
  const isForgotten = forgotten.some(({ kind, entryId }) => kind === 'goal' && entryId === current?.entryId);
  const goal = current && isForgotten ? [{ kind: 'goal' as const, text: current.text, entryId: current.entryId }] : [];
  const others = forgotten.flatMap(({ kind, text, entryId }): Pinnable[] => {
    if (kind === 'rule') return [{ kind: 'constraint', text, entryId }];
    return kind === 'decision' ? [{ kind, text, entryId }] : [];
  });
  return [...goal, ...others];
}

/** The pinnable items that are not in the core yet. A goal that the person pinned is kept. */
export function unpinnedOf({ pinnable }: Rescue, { items }: JournalState): readonly Pinnable[] {
  const active = items.filter(({ status }) => status === 'active');
  const known = new Set(active.map(proposalKey));
  const hasGoal = active.some(({ kind }) => kind === 'goal');
  return pinnable.filter((one) => !known.has(proposalKey(one)) && !(one.kind === 'goal' && hasGoal));
}

/** Pins all pinnable items. Returns the number of items added. */
export async function pinForgotten(rescue: Rescue, inspection: Inspection): Promise<number> {
  const unpinned = unpinnedOf(rescue, inspection.state);
  for (const { kind, text, entryId } of unpinned) await inspection.pin(kind, text, entryId);
  return unpinned.length;
}

/** False if Strata inside the agent wrote the summary. */
export function isByAgentItself(compaction: AgentCompaction, { conversation, state }: Inspection): boolean {
  const summary = summaryOfAgent(compaction, conversation);
  const ofStrata = state.compactions.filter(({ record }) => record.effect === 'agent');
  return !ofStrata.some(({ record: { text } }) => text !== '' && summary.includes(text));
}
