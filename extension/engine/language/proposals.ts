import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import type { CoreItem, PinKind } from '../core/core';
import { contentWords } from './content-words';
import { isBareAnswer, isLeadIn, isLimit, personSaid, type Utterance } from './directions';
import { remarksIn } from './remarks';
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

const goalCue =
  /\b(?:(?:the|my|our|your) (?:new |current |next |main )?(?:goal|objective|aim|task) (?:is|now is)|goal:)/i;

/**
 * Proposals without a model, oldest first: what the person wants now and began with, the rules of the person that are in
 * force, and what either side settled, with its reason. Tool output and reminders propose nothing.
 */
export function proposalsFromSentences(entries: readonly Entry[]): Proposal[] {
  const said = personSaid(entries).filter(({ kind }) => kind !== 'chat');
  const found = [...goalsIn(said), ...constraintsIn(said), ...answersIn(said), ...decisionsIn(entries)];
  const order = new Map(entries.map(({ id }, at) => [id, at]));
  return found.sort((a, b) => (order.get(a.entryId) ?? 0) - (order.get(b.entryId) ?? 0));
}

/** Whether the user or the agent wrote the entry, as opposed to tool output, reminders and summaries. */
export function isDialogue(entry: Entry): boolean {
  return isPrompt(entry) || entry.role === 'assistant';
}

/** What the session began with, and the task of now; goals that the person calls so. */
function goalsIn(said: readonly Utterance[]): Proposal[] {
  const named = said.filter(({ text, kind }) => kind !== 'question' && goalCue.test(text));
  const tasks = tasksIn(said);
  const [first] = tasks;
  const newest = newestTask(tasks);
  const goals = new Set([first, newest, ...named].filter((goal) => goal !== undefined && goal !== null));
  return [...goals].map((goal) => ({ ...proposal('goal', goal), text: wholeRequest(goal, said) }));
}

/** A request with fewer content words goes on with what was asked for before. */
const minTaskWords = 3;

function tasksIn(said: readonly Utterance[]): Utterance[] {
  return said.filter(
    ({ text, kind, endedBy }) =>
      (kind === 'request' || (kind === 'question' && asksForWork.test(text))) &&
      endedBy === null &&
      !decisionCue.test(text) &&
      !isLeadIn(text) &&
      (contentWords(text).length >= minTaskWords || text.startsWith('/')),
  );
}

/** "Any ideas why the uploads fail?" asks to find out, and mostly to mend it. */
const asksForWork = /\bwhy\b|\bwhat(?:['’]s| is) wrong\b|\bhow come\b/i;

/** Long requests are tasks, short ones are mostly steps on the way: an older task may outweigh a newer step. */
const weighing = { mostWords: 14, fading: 0.8 };

function newestTask(tasks: readonly Utterance[]): Utterance | null {
  const last = tasks.at(-1)?.message ?? 0;
  let best: { task: Utterance; weight: number } | null = null;
  for (const task of tasks) {
    const words = Math.min(weighing.mostWords, contentWords(task.text).length + (task.text.startsWith('/') ? 6 : 0));
    const weight = words * weighing.fading ** (last - task.message) * (task.isRedirect ? 1.2 : 1);
    if (best === null || weight >= best.weight) best = { task, weight };
  }
  return best?.task ?? null;
}

const maxGoalLength = 300;

/** The request with what follows it in the same message, as far as it is short. */
function wholeRequest(goal: Utterance, said: readonly Utterance[]): string {
  let { text } = goal;
  for (const next of said.slice(said.indexOf(goal) + 1)) {
    const goesOn = next.entryId === goal.entryId && next.kind === 'direction' && !goalCue.test(goal.text);
    if (!goesOn || text.length + next.text.length > maxGoalLength) break;
    text = `${text} ${next.text}`;
  }
  return text;
}

function constraintsIn(said: readonly Utterance[]): Proposal[] {
  return said
    .filter(
      ({ kind, endedBy, text }) => endedBy === null && (kind === 'rule' || (kind !== 'question' && isLimit(text))),
    )
    .filter(({ text }) => !decisionCue.test(text))
    .filter(fewOfEach(({ message }) => message))
    .map((rule) => proposal('constraint', rule));
}

/** A message with many rules is a document that was pasted, or a prompt that another program wrote. */
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
  return said
    .filter(({ kind, question, endedBy, text }) => {
      const tells = !isBareAnswer(text) && contentWords(text).length >= minTaskWords;
      return kind === 'answer' && question !== null && endedBy === null && tells;
    })
    .map((answer) => ({ ...proposal('decision', answer), rationale: answer.question }));
}

/** Newest decisions of the agent; older ones are mostly details that are done. */
const maxDecisions = 6;

function decisionsIn(entries: readonly Entry[]): Proposal[] {
  const settled = entries.filter(isDialogue).flatMap((entry) =>
    sentencesOf(textOf(entry.parts))
      .filter((sentence) => decisionCue.test(sentence) && !isCode(sentence) && !isQuestion(sentence))
      .map((text) => ({ text, entryId: entry.id })),
  );
  const known = new Set(settled.map(({ text }) => text));
  const ofAgent = remarksIn(entries)
    .filter(
      ({ kind, text, place }) => kind === 'decision' && place !== 'summary' && !known.has(text) && chosen.test(text),
    )
    .slice(-maxDecisions);
  return [...settled, ...ofAgent].map(({ text, entryId }) => ({
    kind: 'decision',
    text,
    rationale: reasonIn(text),
    entryId,
  }));
}

const chosen = /\b(?:i|we)(?:['’]ve| have)? (?:decided|chose|chosen|opted|went with|settled|agreed)\b|\bgoing with\b/i;

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

/** Equal for equal words, ignoring spacing and case. */
export function proposalKey({ kind, text }: Pick<Proposal, 'kind' | 'text'>): string {
  return `${kind} ${oneLine(text).toLowerCase()}`;
}
