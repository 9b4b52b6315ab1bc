import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import type { CoreItem, PinKind } from '../core/core';
import { isCode, isConstraint, sentencesOf } from './sentences';

/** A candidate for the core. Only a person can confirm it. */
export interface Proposal {
  readonly kind: PinKind;
  /** Verbatim from the entry. */
  readonly text: string;
  readonly rationale: string | null;
  readonly entryId: string;
}

/** A decision by either side, as opposed to a consideration. */
const decisionCue =
  /\b(?:(?:i|we)(?:['’]ve| have)? (?:decided|agreed|settled)|(?:let['’]s|we['’]ll|i['’]ll|we will|going to) (?:go|stick|stay) with|we are (?:now )?committing to|i(?:['’]m| am) (?:now )?committing to|decision:)/i;

const goalCue =
  /\b(?:(?:the|my|our|your) (?:new |current |next |main )?(?:goal|objective|aim|task) (?:is|now is)|goal:)/i;

/**
 * Proposals without a model, oldest first: sentences of the user that state a goal, a demand or a prohibition, and
 * sentences of either side that settle something. Tool output and reminders propose nothing.
 */
export function proposalsFromSentences(entries: readonly Entry[]): Proposal[] {
  return entries.filter(isDialogue).flatMap((entry) =>
    sentencesOf(textOf(entry.parts)).flatMap((text) => {
      const kind = kindOf(text, entry);
      return kind ? [{ kind, text, rationale: null, entryId: entry.id }] : [];
    }),
  );
}

/** Whether the user or the agent wrote the entry, as opposed to tool output, reminders and summaries. */
export function isDialogue(entry: Entry): boolean {
  return isPrompt(entry) || entry.role === 'assistant';
}

function kindOf(sentence: string, { role }: Entry): PinKind | null {
  if (isCode(sentence) || /\?["')\]]*$/.test(sentence)) return null;
  if (decisionCue.test(sentence)) return 'decision';
  if (role !== 'user') return null;
  if (goalCue.test(sentence)) return 'goal';
  return isConstraint(sentence) ? 'constraint' : null;
}

/** The proposals that are not in the core with any status, without duplicates. Refused items are not proposed again. */
export function newProposals(proposals: readonly Proposal[], items: readonly CoreItem[]): Proposal[] {
  const known = new Set(items.map(proposalKey));
  return proposals.filter((proposal) => {
    const isNew = !known.has(proposalKey(proposal));
    known.add(proposalKey(proposal));
    return isNew;
  });
}

/** Equal for equal words, ignoring spacing and case. */
export function proposalKey({ kind, text }: Pick<Proposal, 'kind' | 'text'>): string {
  return `${kind} ${oneLine(text).toLowerCase()}`;
}
