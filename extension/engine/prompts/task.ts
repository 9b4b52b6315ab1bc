import type { SummaryRequest } from '../block/summary';
import { isPrompt, textOf } from '../conversation/entry';
import { listed, mustNotInclude, mustNotIncludeOfArcs, mustPreserve, mustUse } from './rules';
import { sectionGuide } from './section-guides';
import { type MemoryPlace, updateTask } from './update';

interface TaskForm {
  /** The record has whole turns, with the user's messages. */
  readonly hasTurns: boolean;
  readonly isHandoff: boolean;
  /** The place of the earlier summaries that the new one continues; null if there are none. */
  readonly continues: MemoryPlace | null;
}

export function taskParts(request: SummaryRequest, form: TaskForm): string[] {
  return [
    ...taskAndRules(request, form),
    `Write at most ${wordsFor(request)} words. Fewer are better if nothing is lost.`,
  ];
}

/** The task and its rules for summaries with the same sections that are written together. */
export function sharedTaskParts(requests: readonly [SummaryRequest, ...SummaryRequest[]], form: TaskForm): string[] {
  const lengths = requests.map((request, index) => `${wordsFor(request)} for block ${index + 1}`);
  return [
    ...taskAndRules(requests[0], form),
    `Write at most as many words as follows. Fewer are better if nothing is lost: ${lengths.join(', ')}.`,
  ];
}

function taskAndRules(request: SummaryRequest, form: TaskForm): string[] {
  const left = form.hasTurns ? [...mustNotInclude, ...mustNotIncludeOfArcs] : mustNotInclude;
  return [
    ...(form.continues === null ? [] : [updateTask(form.continues)]),
    request.sections.length > 0 ? sectionsTask(request, form) : runningTextTask(request.summaryType),
    listed('Keep:', mustPreserve),
    listed('Leave out:', left),
    listed('Use:', mustUse),
  ];
}

function sectionsTask({ sections, summaryType }: SummaryRequest, { hasTurns, isHandoff }: TaskForm): string {
  const subject = hasTurns ? arcSubject : operationsSubject;
  const guides = sections.map((section) => `## ${section}\n${sectionGuide(summaryType, section)}`);
  return [
    ...(isHandoff ? [runningTextTask(summaryType)] : []),
    subject,
    'Divide your text into these sections, in this order and with these exact headings. Leave a section out if there is',
    'nothing to say in it. Write nothing before the first heading and nothing after the last section.',
    '',
    ...guides,
  ].join('\n');
}

const operationsSubject = [
  'The record contains my work: the goal if it is known, then numbered operations, each a reply of mine with its tool calls',
  'and their results. Judge my work by that goal, and look for what connects the operations.',
].join('\n');

const arcSubject = [
  'The record contains my turns, numbered and in order: what the person said, then what I did, in full or in summaries that',
  'I wrote before. Read them as one story. The person may have changed course between turns; those changes are first-rank',
  'content, and so are every failed attempt and every constraint of any turn.',
].join('\n');

/**
 * Words per token of 21 summaries that a model wrote about real sessions, full of names, paths and values: 0.35 to 0.49 in Latin
 * script, 0.26 to 0.35 in Japanese and Korean.
 */
const wordsPerToken = { latin: 0.42, other: 0.3 };
const minWords = 60;

export function wordsFor(request: SummaryRequest): number {
  const perToken = isMostlyLatin(personsText(request)) ? wordsPerToken.latin : wordsPerToken.other;
  return Math.max(minWords, Math.floor((request.maxTokens * perToken) / 10) * 10);
}

/** The person's messages in the record, or the request that stays if the record has none. */
function personsText({ turns, liveGoal }: SummaryRequest): string {
  const prompts = turns.flatMap(({ user, entries }) => [...(user ? [user] : []), ...entries]).filter(isPrompt);
  return prompts.length > 0 ? prompts.map(({ parts }) => textOf(parts)).join('\n') : (liveGoal ?? '');
}

/** Share of letters of another script from which on a text counts as written in it. */
const otherLetters = 0.2;

/** Code and paths in a message are Latin in any language, so a smaller share of another script decides. */
function isMostlyLatin(text: string): boolean {
  const other = text.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return other < letters * otherLetters;
}

const tasks: Readonly<Partial<Record<string, string>>> = {
  naive: 'Summarise the turns below in running text.',
  codex: [
    'Another language model takes this task over from you. It has the same tools and files but none of these turns. Write',
    'your handoff so that it can continue at once and repeats nothing: what is finished, what is decided and why, the constraints',
    'and preferences in force, all data, examples and references that it needs with their contents, and at the end the newest',
    'request word for word, exactly where the work on it stands, the next concrete action and what was asked and not answered.',
  ].join('\n'),
  hierarchical_summary: [
    'Summarise the work below in running text. If parts of it are summaries already, merge them on a higher level: first what',
    'holds for all of it, then briefly the details of single parts.',
  ].join('\n'),
  protected_core: [
    'Summarise the turns below in running text. The protected core stands verbatim next to your text: use your words for',
    'everything else that the work needs.',
  ].join('\n'),
  handoff: [
    'Write what the agent of the new thread needs to know for its goal. Take only what matters for that goal from the record:',
    'what exists, what was decided and why, what failed, the constraints, the paths of relevant files, and the first step.',
    'The goal itself stands above your text.',
  ].join('\n'),
};

const defaultTask =
  'Summarise the turns below in running text: what was asked, what I did and why, the results, and at the end where the work stands, the next action and what is open.';

function runningTextTask(summaryType: string): string {
  return tasks[summaryType] ?? defaultTask;
}
