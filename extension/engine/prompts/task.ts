import type { SummaryRequest } from '../block/summary';
import { listed, mustNotInclude, mustNotIncludeOfArcs, mustPreserve, mustUse } from './rules';
import { runningTextTask } from './running-text';
import { sectionGuide } from './section-guides';

export interface TaskForm {
  /** The record holds whole turns, with what the person said. */
  readonly ofTurns: boolean;
  readonly isHandoff: boolean;
}

/** What is to be written, and by which rules. */
export function taskParts(request: SummaryRequest, form: TaskForm): string[] {
  const left = form.ofTurns ? [...mustNotInclude, ...mustNotIncludeOfArcs] : mustNotInclude;
  return [
    request.sections.length > 0 ? sectionsTask(request, form) : runningTextTask(request.summaryType),
    listed('Keep:', mustPreserve),
    listed('Leave out:', left),
    listed('Use:', mustUse),
    `Write at most ${wordsFor(request.maxTokens)} words. Fewer are better where nothing is lost.`,
  ];
}

function sectionsTask({ sections, summaryType }: SummaryRequest, { ofTurns, isHandoff }: TaskForm): string {
  const subject = ofTurns ? arcSubject : operationsSubject;
  const guides = sections.map((section) => `## ${section}\n${sectionGuide(summaryType, section)}`);
  return [
    ...(isHandoff ? [runningTextTask(summaryType)] : []),
    subject,
    'Divide your text into these sections, each under its heading exactly as given and in this order. Leave a section out',
    'when there is nothing to say in it. Write nothing before the first heading and nothing after the last section.',
    '',
    ...guides,
  ].join('\n');
}

const operationsSubject = [
  'The record holds work of mine: the goal where it is known, then numbered operations, each a reply of mine with its tool',
  'calls and their results. Judge what I did by that goal, and look for what connects the operations.',
].join('\n');

const arcSubject = [
  'The record holds turns of mine in their order, numbered: what the person said, then what I did, raw or in summaries that',
  'I wrote before. Read them as one story. The person may have changed course from one to the next; those changes are content',
  'of the first rank, and so is every attempt that failed and every constraint, from whichever turn.',
].join('\n');

/** Text full of names and paths has fewer words to a token than prose. */
const wordsPerToken = 0.6;
const fewestWords = 60;

export function wordsFor(maxTokens: number): number {
  return Math.max(fewestWords, Math.floor((maxTokens * wordsPerToken) / 10) * 10);
}
