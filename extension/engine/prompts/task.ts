import type { SummaryRequest } from '../block/summary';
import { listed, mustNotInclude, mustNotIncludeOfArcs, mustPreserve, mustUse } from './rules';
import { runningTextTask } from './running-text';
import { sectionGuide } from './section-guides';
import { type MemoryPlace, updateTask } from './update';

export interface TaskForm {
  /** The record has whole turns, with the user's messages. */
  readonly hasTurns: boolean;
  readonly isHandoff: boolean;
  /** Where the earlier summaries by a model are that the new one continues; null where it continues none. */
  readonly continues: MemoryPlace | null;
}

/** The task and its rules. */
export function taskParts(request: SummaryRequest, form: TaskForm): string[] {
  return [
    ...taskAndRules(request, form),
    `Write at most ${wordsFor(request.maxTokens)} words. Fewer are better if nothing is lost.`,
  ];
}

/** The task and its rules for summaries with the same sections that are written together. */
export function sharedTaskParts(requests: readonly [SummaryRequest, ...SummaryRequest[]], form: TaskForm): string[] {
  const lengths = requests.map(({ maxTokens }, index) => `${wordsFor(maxTokens)} for block ${index + 1}`);
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

/** Text full of names and paths has fewer words per token than prose. */
const wordsPerToken = 0.6;
const minWords = 60;

export function wordsFor(maxTokens: number): number {
  return Math.max(minWords, Math.floor((maxTokens * wordsPerToken) / 10) * 10);
}
