import type { CompactionPlan } from '../block/plan';
import { type Entry, textOf, toolCalls, toolResults } from '../conversation/entry';
import { brief, firstSentence } from '../conversation/text';
import { subjectOf } from '../conversation/tool-subject';
import { counted } from '../wording/counts';

const maxSentenceLength = 110;
const maxSubjects = 3;

/**
 * At most two sentences about the entries beneath a block, for the timeline: what was asked and what was done. Built
 * from the replaced entries alone, so it does not depend on who wrote the block.
 */
export function displayLine(plan: CompactionPlan, replaced: readonly Entry[]): string {
  const asked = plan.turns.flatMap(({ user }) =>
    user ? [brief(firstSentence(textOf(user.parts)), maxSentenceLength)] : [],
  );
  return [askedSentence(asked.filter((sentence) => sentence !== '')), doneSentence(replaced)].filter(Boolean).join(' ');
}

function askedSentence(asked: readonly string[]): string {
  const [first] = asked;
  if (first === undefined) return '';
  const more = asked.length > 1 ? ` (and ${asked.length - 1} more)` : '';
  return `${first.replace(/[.!?…]*$/, '')}${more}.`;
}

function doneSentence(entries: readonly Entry[]): string {
  const calls = entries.flatMap((entry) => toolCalls(entry.parts));
  if (calls.length === 0) return `${counted(entries.length, 'message')}.`;
  const failed = entries.flatMap((entry) => toolResults(entry.parts)).filter((result) => result.isError).length;
  const subjects = [...new Set(calls.map((call) => brief(subjectOf(call), 40)).filter((subject) => subject !== ''))];
  const named = subjects.slice(-maxSubjects).join(', ');
  return `${counted(calls.length, 'tool call')}${failed > 0 ? `, ${failed} failed` : ''}${named === '' ? '' : `: ${named}`}.`;
}
