import type { Entry } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import type { CoreItem, PinKind } from '../core/core';
import { contentWords } from './content-words';
import { decisionsIn, isDeclared } from './decisions';
import { isBareAnswer, isLimit, personSaid, type Utterance } from './directions';
import { goalsIn } from './goals';

/** A candidate for the core. Only a person can confirm it. */
export interface Proposal {
  readonly kind: PinKind;
  /** Verbatim from the entry, but for white space. */
  readonly text: string;
  /** Why a decision was taken, or the question that it answers: verbatim too. */
  readonly rationale: string | null;
  readonly entryId: string;
}

/**
 * Proposals without a model, oldest first: what the person wants now and began with, the rules of the person that are in
 * force, and what either side settled, with its reason. Tool output and reminders propose nothing.
 */
export function proposalsFromSentences(entries: readonly Entry[]): Proposal[] {
  const said = personSaid(entries).filter(({ kind }) => kind !== 'chat');
  const found = [...goalProposals(said), ...constraintsIn(said), ...answersIn(said), ...decisionProposals(entries)];
  const order = new Map(entries.map(({ id }, at) => [id, at]));
  return found.sort((a, b) => (order.get(a.entryId) ?? 0) - (order.get(b.entryId) ?? 0));
}

function decisionProposals(entries: readonly Entry[]): Proposal[] {
  return decisionsIn(entries).map(({ reason, ...decision }) => ({ kind: 'decision', ...decision, rationale: reason }));
}

function goalProposals(said: readonly Utterance[]): Proposal[] {
  return goalsIn(said).map((goal) => ({ kind: 'goal', ...goal, rationale: null }));
}

function constraintsIn(said: readonly Utterance[]): Proposal[] {
  const sizes = Map.groupBy(said, ({ message }) => message);
  return said
    .filter(
      ({ kind, endedBy, text }) => endedBy === null && (kind === 'rule' || (kind !== 'question' && isLimit(text))),
    )
    .filter(({ message }) => (sizes.get(message)?.length ?? 0) <= longestMessage)
    .filter(({ text, isRetold }) => !isDeclared(text) && !(isRetold && pointing.test(text)))
    .filter(fewOfEach(({ message }) => message))
    .map((rule) => proposal('constraint', rule));
}

/** In sentences. A longer message is a document that was pasted: what it demands is part of the task. */
const longestMessage = 40;

/** Out of its context nobody can tell what it demands. */
const pointing = /\b(?:it|this|that|these|those)\b/i;

/** A message with many rules is a prompt that another program wrote. */
const maxPerMessage = 4;

function fewOfEach<T>(keyOf: (one: T) => number): (one: T) => boolean {
  const counts = new Map<number, number>();
  return (one) => {
    const count = (counts.get(keyOf(one)) ?? 0) + 1;
    counts.set(keyOf(one), count);
    return count <= maxPerMessage;
  };
}

/** What the person chose where the agent asked. A bare "yes" settles nothing that could be read later. */
function answersIn(said: readonly Utterance[]): Proposal[] {
  return said.flatMap((answer) => {
    const { kind, text, option, question, endedBy } = answer;
    if (kind !== 'answer' || endedBy !== null) return [];
    // An item of a list that nobody asked about is the next task.
    if (option !== null) return question === null ? [] : [{ kind: 'decision', ...option, rationale: question }];
    const tells =
      question !== null && !isBareAnswer(text) && !/^you\b/i.test(text) && contentWords(text).length >= minAnswerWords;
    return tells ? [{ ...proposal('decision', answer), rationale: question }] : [];
  });
}

/** Fewer content words settle nothing that could be read later. */
const minAnswerWords = 3;

function proposal(kind: PinKind, { text, entryId }: Utterance): Proposal {
  return { kind, text, rationale: null, entryId };
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

/** Where only some can be proposed at once, the goal of now is among them. */
export function goalsFirst(proposals: readonly Proposal[]): Proposal[] {
  const isGoal = ({ kind }: Proposal) => kind === 'goal';
  return [...proposals.filter(isGoal), ...proposals.filter((proposal) => !isGoal(proposal))];
}

/** Equal for equal words, ignoring spacing and case. */
export function proposalKey({ kind, text }: Pick<Proposal, 'kind' | 'text'>): string {
  return `${kind} ${oneLine(text).toLowerCase()}`;
}
