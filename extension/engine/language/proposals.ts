import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import type { CoreItem, PinKind } from '../core/core';
import { contentWords } from './content-words';
import { isBareAnswer, isLeadIn, isLimit, personSaid, type Utterance } from './directions';
import { goalsIn } from './goals';
import { type Remark, remarksIn } from './remarks';
import { isCode, isQuestion, sentencesOf } from './sentences';

/** A candidate for the core. Only a person can confirm it. */
export interface Proposal {
  readonly kind: PinKind;
  /** Verbatim from the entry, but for white space. */
  readonly text: string;
  /** Why a decision was taken, or the question that it answers: verbatim too. */
  readonly rationale: string | null;
  readonly entryId: string;
}

/** A decision by either side, as opposed to a consideration. */
const decisionCue =
  /\b(?:(?:i|we)(?:['’]ve| have)? (?:decided|agreed|settled)|(?:let['’]s|we['’]ll|i['’]ll|we will|going to) (?:go|stick|stay) with|we are (?:now )?committing to|i(?:['’]m| am) (?:now )?committing to|decision:)/i;

/**
 * Proposals without a model, oldest first: what the person wants now and began with, the rules of the person that are in
 * force, and what either side settled, with its reason. Tool output and reminders propose nothing.
 */
export function proposalsFromSentences(entries: readonly Entry[]): Proposal[] {
  const said = personSaid(entries).filter(({ kind }) => kind !== 'chat');
  const found = [...goalProposals(said), ...constraintsIn(said), ...answersIn(said), ...decisionsIn(entries)];
  const order = new Map(entries.map(({ id }, at) => [id, at]));
  return found.sort((a, b) => (order.get(a.entryId) ?? 0) - (order.get(b.entryId) ?? 0));
}

/** Whether the user or the agent wrote the entry, as opposed to tool output, reminders and summaries. */
export function isDialogue(entry: Entry): boolean {
  return isPrompt(entry) || entry.role === 'assistant';
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
    .filter(({ text, isRetold }) => !decisionCue.test(text) && !(isRetold && pointing.test(text)))
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
    if (option !== null) return [{ kind: 'decision', ...option, rationale: question ?? text }];
    const tells = question !== null && !isBareAnswer(text) && contentWords(text).length >= minAnswerWords;
    return tells ? [{ ...proposal('decision', answer), rationale: question }] : [];
  });
}

/** Fewer content words settle nothing that could be read later. */
const minAnswerWords = 3;

function decisionsIn(entries: readonly Entry[]): Proposal[] {
  const settled = entries.filter(isDialogue).flatMap((entry) =>
    sentencesOf(textOf(entry.parts))
      .filter((sentence) => decisionCue.test(sentence) && !isCode(sentence) && !isQuestion(sentence))
      .filter((sentence) => !isLeadIn(sentence))
      .map((text) => ({ text, entryId: entry.id })),
  );
  const known = new Set(settled.map(({ text }) => text));
  const ofAgent = remarksIn(entries)
    .filter((remark) => isChoice(remark) && !known.has(remark.text))
    .slice(-maxDecisions);
  return [...settled, ...ofAgent].map(({ text, entryId }) => ({
    kind: 'decision',
    text,
    rationale: reasonIn(text),
    entryId,
  }));
}

/** Newest decisions of the agent; older ones are mostly details that are done. */
const maxDecisions = 3;

/** What the agent did for a reason, as it says when it closes a turn. What went wrong for a reason is a finding. */
function isChoice({ kind, place, text }: Remark): boolean {
  if (kind === 'open' || kind === 'goal') return false;
  if (kind === 'decision' && place !== 'summary' && chosen.test(text)) return true;
  return place === 'closing' && reasonIn(text) !== null && !trouble.test(text);
}

const chosen = /\b(?:i|we)(?:['’]ve| have)? (?:decided|chose|chosen|opted|went with|settled|agreed)\b|\bgoing with\b/i;
const trouble =
  /\b(?:fail|error|bug|brok|break|wrong|missing|missed|verif|remains?\b|instead of the previous)|^\W*(?:instead of|try)\b/i;

/** The reason that a decision gives itself, or what it was taken instead of. */
function reasonIn(text: string): string | null {
  const [, reason] = /\b(?:because|since|so that|as it|due to|instead of|rather than)\b\s*(.+)$/i.exec(text) ?? [];
  return reason === undefined ? null : oneLine(reason);
}

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
