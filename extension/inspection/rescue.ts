import { ContextText, lossOf } from '../engine/compaction/loss';
import { leastWords, wordsOf } from '../engine/compaction/retold';
import { branchOf } from '../engine/conversation/branch';
import type { AgentCompaction, Conversation } from '../engine/conversation/conversation';
import { type Entry, isPrompt, type Part, textOf } from '../engine/conversation/entry';
import type { CountTokens } from '../engine/conversation/tokens';
import { type Forgotten, type ForgottenKind, forgottenPrompt } from '../engine/prompts/forgotten-prompt';
import { entriesOf, summaryOfAgent } from './compaction-loss';
import type { Inspection } from './inspection';
import type { Rescue } from './rescue-prompt';

/** `unreadable`: a summary in the agent's context is encrypted, so its content is unknown. */
export type RescueOutcome =
  | { readonly kind: 'forgot'; readonly rescue: Rescue }
  | { readonly kind: 'nothing-forgotten'; readonly compaction: AgentCompaction }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'not-compacted' };

/** Maximum counted tokens: a longer prompt would be a second summary. */
const promptBudget = 1500;

/** Order in which kinds are included if the budget is too small for all. */
const priorities: readonly ForgottenKind[] = ['message', 'open', 'file'];

/** Maximum number of items of one kind; the newest are kept. */
const mostOfKind = 12;

/** If the context has this share of a message's words, it may say the same as the message in other words. */
const mostOfWords = 0.8;

/**
 * Losses of the agent's newest compaction that its current context still lacks: messages of the person, changed
 * files and open items. In doubt a message is not forgotten: it is left out where the context has many of its words.
 * Clearing tool output does not count, because it removes nothing that was said.
 */
export function rescueOf(inspection: Inspection): RescueOutcome {
  const { conversation } = inspection;
  const compaction = newestSummary(conversation);
  // Omissions of a fork by Strata were reported when the fork was made.
  if (!compaction || compaction.byStrata) return { kind: 'not-compacted' };
  if (hasEncryptedSummary(conversation)) return { kind: 'unreadable' };
  const fitting = fittingOf(forgottenOf(compaction, inspection), inspection.ledger.countText);
  if (fitting.length === 0) return { kind: 'nothing-forgotten', compaction };
  const prompt = forgottenPrompt(fitting);
  return {
    kind: 'forgot',
    rescue: { compaction, forgotten: fitting, prompt, tokens: inspection.ledger.countText(prompt) },
  };
}

function forgottenOf({ replacedEntryIds }: AgentCompaction, inspection: Inspection): Forgotten[] {
  const context = new ContextText(saidTo(inspection));
  const replaced = entriesOf(replacedEntryIds, inspection.conversation);
  const entries = branchOf(inspection.conversation).entries.map(({ entry }) => entry);
  const { files, open } = lossOf({ replaced, entries, context, tokensOf: () => 0 });
  const messages = replaced.filter(isPrompt).flatMap(({ id, parts }) => {
    const text = textOf(parts).trim();
    const isMissing =
      wordsOf(text).size >= leastWords && context.fateOf(text) !== 'whole' && !context.retells(text, mostOfWords);
    return isMissing ? [item('message', text, id)] : [];
  });
  return [
    ...messages.slice(-mostOfKind),
    ...open.listed.slice(-mostOfKind).map(({ text, entryId }) => item('open', text, entryId)),
    ...files.listed.slice(-mostOfKind).map(({ text, entryId }) => item('file', text, entryId)),
  ];
}

function item(kind: ForgottenKind, text: string, entryId: string): Forgotten {
  const key = [kind, entryId, ...(kind === 'message' ? [] : [text])].join(' ');
  return { key, kind, text, entryId };
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
function saidTo({ contextInAgent, memoryFiles }: Inspection): { role: Entry['role']; parts: readonly Part[] }[] {
  const inFiles = memoryFiles.map(({ text }) => ({
    role: 'system' as const,
    parts: [{ type: 'text' as const, text }],
  }));
  return [...inFiles, ...contextInAgent.messages];
}

/** The newest items of each kind that fit, in order. */
function fittingOf(forgotten: readonly Forgotten[], count: CountTokens): readonly Forgotten[] {
  const chosen = new Set<Forgotten>();
  for (const kind of priorities) {
    for (const one of forgotten.filter((other) => other.kind === kind).toReversed()) {
      chosen.add(one);
      if (count(forgottenPrompt([...chosen])) > promptBudget) chosen.delete(one);
    }
  }
  return forgotten.filter((one) => chosen.has(one));
}

/** The prompt without the items that a person unticked. */
export function promptWithout({ forgotten }: Rescue, keys: readonly string[]): string {
  const left = new Set(keys);
  return forgottenPrompt(forgotten.filter(({ key }) => !left.has(key)));
}

/** False if Strata inside the agent wrote the summary. */
export function isByAgentItself(compaction: AgentCompaction, { conversation, state }: Inspection): boolean {
  const summary = summaryOfAgent(compaction, conversation);
  const ofStrata = state.compactions.filter(({ record }) => record.effect === 'agent');
  return !ofStrata.some(({ record: { text } }) => text !== '' && summary.includes(text));
}
