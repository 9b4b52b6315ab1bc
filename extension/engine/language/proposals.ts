import { type Entry, isPrompt, textOf } from '../conversation/entry';
import type { CoreItem, PinKind } from '../core/core';
import { isCode, isConstraint, sentencesOf } from './sentences';

/** Something that may belong into the core. Only a person can say that it does. */
export interface Proposal {
  readonly kind: PinKind;
  /** Verbatim from the entry. */
  readonly text: string;
  readonly rationale: string | null;
  readonly entryId: string;
}

/** What was settled rather than weighed, by either side. */
const decisionCue =
  /\b(?:(?:i|we)(?:['’]ve| have)? (?:decided|agreed|settled)|(?:let['’]s|we['’]ll|i['’]ll|we will|going to) (?:go|stick|stay) with|we are (?:now )?committing to|i(?:['’]m| am) (?:now )?committing to|decision:)/i;

const goalCue =
  /\b(?:(?:the|my|our|your) (?:new |current |next |main )?(?:goal|objective|aim|task) (?:is|now is)|goal:)/i;

/**
 * Proposals without a model, oldest first: sentences of the person that forbid or demand or name the goal, and sentences
 * of either side that settle something. Words of others, such as tool output and reminders, propose nothing.
 */
export function proposalsFromSentences(entries: readonly Entry[]): Proposal[] {
  return entries.filter(speaks).flatMap((entry) =>
    sentencesOf(textOf(entry.parts)).flatMap((text) => {
      const kind = kindOf(text, entry);
      return kind ? [{ kind, text, rationale: null, entryId: entry.id }] : [];
    }),
  );
}

/** The person and the agent; not tool output, reminders and summaries. */
export function speaks(entry: Entry): boolean {
  return isPrompt(entry) || entry.role === 'assistant';
}

function kindOf(sentence: string, { role }: Entry): PinKind | null {
  if (isCode(sentence) || /\?["')\]]*$/.test(sentence)) return null;
  if (decisionCue.test(sentence)) return 'decision';
  if (role !== 'user') return null;
  if (goalCue.test(sentence)) return 'goal';
  return isConstraint(sentence) ? 'constraint' : null;
}

/** Those that are not in the core yet in whatever state, each once: what was refused is not proposed again. */
export function newProposals(proposals: readonly Proposal[], items: readonly CoreItem[]): Proposal[] {
  const known = new Set(items.map(sameness));
  return proposals.filter((proposal) => {
    const isNew = !known.has(sameness(proposal));
    known.add(sameness(proposal));
    return isNew;
  });
}

/** The same for the same words, however they are spaced and capitalised. */
export function sameness({ kind, text }: Pick<Proposal, 'kind' | 'text'>): string {
  return `${kind} ${text.replace(/\s+/g, ' ').trim().toLowerCase()}`;
}
