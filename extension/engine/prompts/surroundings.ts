import type { SummaryRequest } from '../block/summary';
import { isPrompt, textOf } from '../conversation/entry';
import { coreText, isEmptyCore } from '../core/core';
import { escapedForQuotation, quotation, withTemplateMarksEscaped } from '../language/quotation';
import { excerpt } from './excerpt';
import { withoutReminders } from './reminders';

/** In UTF-16 units. A goal is a few sentences; the rest of a long message is mostly pasted. */
const maxGoalLength = 2_000;

/** The user's instructions for this summary. They direct attention and override no rule. */
export function attentionPart({ instructions }: SummaryRequest): string[] {
  if (instructions === null) return [];
  return [
    `The person who asked for this wants you to pay most attention to the following; the rules stay in force:\n${withTemplateMarksEscaped(instructions)}`,
  ];
}

/** The core is in the context verbatim: repeating it wastes room, and contradicting it does harm. */
export function corePart({ core }: SummaryRequest): string[] {
  if (core === null || isEmptyCore(core)) return [];
  return [
    [
      quotation('the protected core, which stands in the context verbatim', escapedForQuotation(coreText(core))),
      'You need not repeat the core, and nothing you write may contradict it.',
    ].join('\n'),
  ];
}

/**
 * The message that the record answers if no person typed it: an order of another agent, which stays in the context
 * before the record and contains the rules of the work.
 */
export function orderPart({ turns, context = [] }: SummaryRequest): string[] {
  const [first] = turns;
  const start = context.findIndex(({ id }) => id === first?.entries[0]?.id);
  if (first === undefined || first.user !== null || start < 0) return [];
  const order = context.slice(0, start).findLast(({ role }) => role === 'user');
  if (order === undefined || isPrompt(order)) return [];
  const text = withoutReminders(textOf(order.parts)).trim();
  if (text === '') return [];
  return [
    quotation(
      'the message that the record answers; it stays in the context',
      escapedForQuotation(excerpt(text, maxOrderLength)),
    ),
  ];
}

/** In UTF-16 units. An order between agents has all rules of the work in it. */
const maxOrderLength = 12_000;

/** The goal of the next steps decides which details they will need. */
export function liveGoalPart({ liveGoal }: SummaryRequest): string[] {
  if (liveGoal === null || liveGoal.trim() === '') return [];
  const goal = quotation('the person’s latest request, in a turn that stays', goalText(liveGoal));
  return [`${goal}\nGive most room to what matters for it.`];
}

/** The goal of the new thread: as the user just wrote it, otherwise the last goal of the old thread. */
export function handoffGoalPart({ instructions, liveGoal }: SummaryRequest): string[] {
  const goal = instructions ?? liveGoal;
  return goal === null ? [] : [quotation('the goal of the new conversation', goalText(goal))];
}

function goalText(goal: string): string {
  return escapedForQuotation(excerpt(goal, maxGoalLength));
}
