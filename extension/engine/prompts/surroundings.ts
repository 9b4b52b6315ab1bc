import type { SummaryRequest } from '../block/summary';
import { type CoreState, coreText } from '../core/core';
import { escapedForQuotation, quotation, withTemplateMarksEscaped } from '../language/quotation';
import { excerpt } from './excerpt';

/** A goal is a few sentences; what follows in a long message is mostly pasted. In UTF-16 units. */
const longestGoal = 2_000;

/** What the person asked of this summary: it directs attention, and lifts no rule. */
export function attentionPart({ instructions }: SummaryRequest): string[] {
  if (instructions === null) return [];
  return [
    `The person who asked for this wants you to pay attention to this above all; the rules stay as they are:\n${withTemplateMarksEscaped(instructions)}`,
  ];
}

/** The core stands in the context as it is: a summary that repeats it wastes room, and one that differs does harm. */
export function corePart({ core }: SummaryRequest): string[] {
  if (core === null || isEmpty(core)) return [];
  return [
    [
      quotation('the protected core, which stands in the context verbatim', escapedForQuotation(coreText(core))),
      'You need not repeat what the core says, and nothing you write may contradict it.',
    ].join('\n'),
  ];
}

function isEmpty({ original_goal, current_goal, hard_constraints, key_decisions }: CoreState): boolean {
  return original_goal === null && current_goal === null && hard_constraints.length + key_decisions.length === 0;
}

/** What the work that follows is about says which details will be needed. */
export function liveGoalPart({ liveGoal }: SummaryRequest): string[] {
  if (liveGoal === null || liveGoal.trim() === '') return [];
  const goal = quotation('what the person asked for last, in a turn that stays', goalText(liveGoal));
  return [`${goal}\nGive what bears on it the most room.`];
}

/** The goal of the new conversation: as the person just wrote it, else what the old one was about last. */
export function handoffGoalPart({ instructions, liveGoal }: SummaryRequest): string[] {
  const goal = instructions ?? liveGoal;
  return goal === null ? [] : [quotation('the goal of the new conversation', goalText(goal))];
}

function goalText(goal: string): string {
  return escapedForQuotation(excerpt(goal, longestGoal));
}
