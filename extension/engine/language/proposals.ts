import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { groupedBy } from '../conversation/grouped-by';
import { oneLine } from '../conversation/text';
import type { CoreItem, PinKind } from '../core/core';
import { choiceIn, isWeighed, reasonIn } from './choices';
import { contentWords } from './content-words';
import { isLimit, limitsIn, plainLimitsIn } from './demands';
import { endsStatement, isBareAnswer, isLeadIn, personSaid, type Utterance } from './directions';
import { documentsAmong, goalsIn } from './goals';
import type { Option } from './options';
import { isWorkPicked, remarkOnPick } from './picks';
import { remarksIn } from './remarks';
import { replacedRemarks } from './replacements';
import { isCode, isConditional, isQuestion, sentencesOf } from './sentences';

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
  /\b(?:(?:i|we)(?:['’]ve| have)? (?:decided|agreed|settled)|(?:let['’]s|we['’]ll|i['’]ll|we will|going to) (?:go|stick|stay) with|we are (?:now )?committing to|i(?:['’]m| am) (?:now )?committing to|decision:(?!\s*["'[{<]))/i;

/**
 * Proposals without a model, oldest first: what the person wants now and began with, the rules of the person that are in
 * force, and what either side settled, with its reason. Tool output and reminders propose nothing.
 */
export function proposalsFromSentences(entries: readonly Entry[]): Proposal[] {
  const said = personSaid(entries).filter(({ kind }) => kind !== 'chat');
  const found = [...goalProposals(said), ...constraintsIn(said), ...decisionsIn(entries, said)];
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
  const isDocument = documentsAmong(said);
  return said
    .filter(({ endedBy, kind, option }) => endedBy === null && kind !== 'question' && option === null)
    .filter(({ isBesidePasted }) => !isBesidePasted)
    .filter((utterance) => !isDocument(utterance))
    .flatMap((utterance) => limitsOf(utterance).map((text) => ({ ...utterance, text })))
    .filter(
      ({ text, isRetold }) => !decisionCue.test(text) && !replacing.test(text) && !(isRetold && pointing.test(text)),
    )
    .filter(fewOfEach(({ message }) => message))
    .map((rule) => proposal('constraint', rule));
}

/** An answer settles what was asked: a limit is only what would be one without the question. */
function limitsOf({ kind, text, isRetold }: Utterance): readonly string[] {
  return kind === 'answer' || isRetold ? plainLimitsIn(text) : limitsIn(text);
}

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
    if (option !== null) return pickedIn(answer, option);
    const tells = question !== null && !isBareAnswer(text) && contentWords(text).length >= minAnswerWords;
    return tells ? [{ ...proposal('decision', answer), rationale: wholeQuestion(question) }] : [];
  });
}

/** An option that was picked settles a question, unless it is the next thing to do. */
function pickedIn(answer: Utterance, option: Option): Proposal[] {
  const { text, entryId } = option;
  if (isWorkPicked(answer, option) || contentWords(text).length < minPickedWords) return [];
  return [decision(text, entryId, remarkOnPick(answer) ?? wholeQuestion(answer.question))];
}

const minPickedWords = 2;

/** What a session file cut off at a quotation mark begins in the middle. */
function wholeQuestion(question: string | null): string | null {
  return question === null || /^(?:[)\]},.;:(-]|\p{Ll}+\b)/u.test(question) ? null : question;
}

/** Fewer content words settle nothing that could be read later. */
const minAnswerWords = 3;

/** What either side settled in words, and what the person put in the place of something else. */
function settledBySaying(entries: readonly Entry[], said: readonly Utterance[]): Proposal[] {
  const sizes = groupedBy(said, ({ message }) => message);
  const isShort = (message: number) => (sizes.get(message)?.length ?? 0) <= longestRedirect;
  const ofPerson = said
    .filter(({ kind, endedBy, isBesidePasted }) => kind !== 'question' && endedBy === null && !isBesidePasted)
    .filter(({ text, message }) => isSettling(text) || (isShort(message) && replacesSomething(text)))
    .filter(({ isRetold }) => !isRetold);
  const ofAgent = entries
    .filter(({ role }) => role === 'assistant')
    .flatMap((entry) =>
      sentencesOf(textOf(entry.parts))
        .filter(isSettling)
        .map((text) => ({ text, entryId: entry.id })),
    );
  return [...ofPerson, ...ofAgent].map(({ text, entryId }) => decision(text, entryId, reasonIn(text)));
}

/** In sentences: a longer message describes the work. */
const longestRedirect = 8;

function isSettling(sentence: string): boolean {
  return decisionCue.test(sentence) && !isCode(sentence) && !isQuestion(sentence) && !isLeadIn(sentence);
}

function replacesSomething(text: string): boolean {
  return replacing.test(text) && !isConditional(text) && isLimit(text);
}

const replacing = /\b(?:instead of|rather than|in place of)\b|(?<!\p{L})(?:statt|anstatt|anstelle)(?!\p{L})/iu;

/** What the agent chose or did for a reason, as it says when it closes a turn or beside its work. Newest ones only. */
function chosenByAgent(entries: readonly Entry[]): Proposal[] {
  return remarksIn(entries)
    .filter(
      ({ place, kind, text }) =>
        (place === 'closing' && kind !== 'open' && kind !== 'goal') ||
        (place === 'interim' && kind === 'decision' && isWeighed(text)),
    )
    .flatMap(({ text, entryId }) => {
      const choice = choiceIn(text);
      return choice === null ? [] : [decision(text, entryId, choice.rationale)];
    })
    .slice(-maxDecisions);
}

/** Newest decisions of the agent; older ones are mostly details that are done. */
const maxDecisions = 5;

/** Without what a later one or a redirect of the person replaced. */
function decisionsIn(entries: readonly Entry[], said: readonly Utterance[]): Proposal[] {
  const order = new Map(entries.map(({ id }, at) => [id, at]));
  const placeOf = ({ entryId }: { readonly entryId: string }) => order.get(entryId) ?? 0;
  const found = [...answersIn(said), ...settledBySaying(entries, said), ...chosenByAgent(entries)];
  const oldestFirst = found.sort((a, b) => placeOf(a) - placeOf(b));
  const replaced = replacedRemarks(oldestFirst);
  const redirects = said.filter(({ isRedirect }) => isRedirect);
  return oldestFirst.filter(
    (one) =>
      !replaced.has(one) &&
      !redirects.some((redirect) => placeOf(redirect) > placeOf(one) && endsStatement(redirect, one.text)),
  );
}

function decision(text: string, entryId: string, rationale: string | null): Proposal {
  return { kind: 'decision', text, entryId, rationale };
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
