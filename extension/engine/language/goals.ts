import { groupedBy } from '../conversation/grouped-by';
import { contentWords } from './content-words';
import { isImperative } from './demands';
import { isBareAnswer, type Utterance } from './directions';
import { isWorkPicked } from './picks';
import { isQuestion } from './sentences';

/** Something that the person wants, verbatim but for white space. */
export interface Goal {
  readonly text: string;
  readonly entryId: string;
}

const named =
  /\b(?:(?:the|my|our|your) (?:new |current |next |main )?(?:goal|objective|aim|task) (?:is|now is)|goal:)/i;

/**
 * What the session began with and what the person wants now: the newest message that opens work. An answer goes on with
 * what the agent asked, and what is said while the agent works is a step on the way. Also what the person calls a goal.
 */
export function goalsIn(said: readonly Utterance[]): Goal[] {
  const tasks = tasksIn(said);
  const isDocument = documentsAmong(said);
  const called = said.filter((one) => isNamed(one) && !isDocument(one) && !one.isBesidePasted);
  const goals = [originalOf(tasks), tasks.findLast(({ isAside }) => !isAside) ?? tasks.at(-1), ...called];
  const found = goals.flatMap((goal) => (goal === undefined ? [] : [{ text: goal.text, entryId: goal.entryId }]));
  return [...new Map(found.map((goal) => [`${goal.entryId} ${goal.text}`, goal])).values()];
}

/** Tells which messages are documents that were pasted: a goal in one is that of its author, and what it demands is part of the task. */
export function documentsAmong(said: readonly Utterance[]): (one: Utterance) => boolean {
  const sizes = groupedBy(said, ({ message }) => message);
  return ({ message }) => (sizes.get(message)?.length ?? 0) > longestMessage;
}

/** In sentences. */
const longestMessage = 40;

function isNamed({ text, kind }: Utterance): boolean {
  return kind !== 'question' && named.test(text);
}

interface Task extends Goal {
  readonly isAside: boolean;
  readonly isRetold: boolean;
}

/** Where a session begins with a summary, it is the newest task of the summary. */
function originalOf(tasks: readonly Task[]): Task | undefined {
  const own = tasks.findIndex(({ isRetold }) => !isRetold);
  return own > 0 ? tasks[own - 1] : tasks[0];
}

function tasksIn(said: readonly Utterance[]): Task[] {
  return [...groupedBy(said, ({ message }) => message).values()].flatMap(
    (message, at) => taskOf(message, at === 0) ?? [],
  );
}

/** Whatever a session begins with is its first task. */
function taskOf(message: readonly Utterance[], isFirst: boolean): Task | null {
  const [first] = message;
  if (first === undefined) return null;
  const { isAside, isRetold, option } = first;
  if (option !== null) return isWorkPicked(first, option) ? { ...option, isAside, isRetold } : null;
  const all = message.filter(({ kind }) => kind !== 'answer' && kind !== 'chat');
  const own = all.filter(({ isBesidePasted }) => !isBesidePasted);
  const told = own.length > 0 ? own : all;
  const called = told.find(isNamed);
  const text = called?.text ?? openingOf(told);
  if (!opensWork(text) || (!isFirst && isObservation(text))) return null;
  return { text, entryId: told[0]?.entryId ?? '', isAside: isAside || additional.test(text), isRetold };
}

/** Adds to what was asked for. */
const additional = /^\W*(?:(?:and|oh|ah|ok(?:ay)?|sorry)\b[\s,]*)*also\b|\btoo\W*$/i;

const maxLength = 400;

/** The message up to its first rule, as far as it is short. Rules are the core's constraints. */
function openingOf(told: readonly Utterance[]): string {
  let text = '';
  for (const { text: next, kind } of told) {
    const isEnd = kind === 'rule' || text.length + next.length > maxLength;
    if (text !== '' && isEnd) break;
    if (kind !== 'rule') text = text === '' ? next : `${text} ${next}`;
  }
  return text;
}

/** With fewer content words, it goes on with what was asked for before. */
const minWords = { deed: 2, request: 3, question: 4 } as const;

function leastWordsOf(text: string): number {
  if (isQuestion(text)) return minWords.question;
  return deed.test(text) ? minWords.deed : minWords.request;
}

/** What to do, and not only that something is to be tried or done. */
const deed =
  /\b(?:add|analy[sz]e|build|change|check|clean|convert|create|delete|deploy|document|explain|extract|find|fix|implement|improve|investigate|merge|migrate|move|refactor|release|remove|rename|replace|review|rewrite|test|update|write)\b/i;

const goAhead =
  /\b(?:go ahead|start|begin|proceed|move|continue|go on)\b[^.!?]{0,20}\b(?:with|to|on)\s+(?:the\s+)?\S+/i;
const goingOn = /^\W*(?:(?:ok(?:ay)?|please|yes)\b[\s,]*)*(?:continue|go on|proceed|keep going|resume)\W*$/i;

/** Moving to another branch is no aim. */
const housekeeping =
  /^\W*(?:(?:ok(?:ay)?|please|can we|could you|can you|let['’]?s|now)\b[\s,]*)*(?:get back|go back|switch|check ?out|pull|commit|push|merge|git)\b/i;
const maxHousekeepingWords = 8;

/** A decision about the task at hand. */
const settling = /\b(?:let['’]?s|we['’]ll|we will) (?:go|stick|stay) with\b/i;

/** "Hmm, still an error": the work goes on. */
const symptom = /^\W*(?:hm+|still|same|nope|again|uh+m*)\b/i;

function opensWork(text: string): boolean {
  if (text === '' || goingOn.test(text)) return false;
  if (text.startsWith('/')) return true;
  if (symptom.test(text) && !deed.test(text)) return false;
  const words = text.split(/\s+/).length;
  if (housekeeping.test(text) && words <= maxHousekeepingWords) return false;
  if (goAhead.test(text)) return true;
  if (isBareAnswer(text) || (settling.test(text) && words <= maxHousekeepingWords)) return false;
  return contentWords(text).length >= leastWordsOf(text);
}

/** "I checked, seems fine", "so that cost us 4k calls": tells how things are, and neither asks for anything nor complains. */
function isObservation(text: string): boolean {
  return (
    english.test(text) &&
    !text.includes('?') &&
    !deed.test(text) &&
    !asking.test(text) &&
    !complaint.test(text) &&
    !isOrder(text)
  );
}

function isOrder(text: string): boolean {
  return text.split(/(?<=[.!?,])\s+/).some(isImperative);
}

/** Of other languages nobody can tell by these words. */
const english = /\b(?:the|is|are|was|it|that|this|you|we|i|and|to)\b/i;
const asking =
  /\b(?:please|pls|(?:can|could|would|will) (?:you|we|u)|let['’]?s|(?:want|need|like)s?|should|must|ha(?:s|ve) to|make|how|why|what|where|which|when|idea|next|goal|task|instead)\b/i;
const complaint =
  /\b(?:not|no|never|nothing|errors?|fail\w*|bugs?|wrong|broke\w*|missing|stuck|crash\w*|issues?|problems?|warnings?|still|only|too|same|weird|slow|bad|empty|un\w+ed)\b|n['’]?t\b/i;
