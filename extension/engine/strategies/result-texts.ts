import type { CompactionPlan, Parameters, PlannedTurn } from '../block/plan';
import { counted, type Strategy, tokensOf, writtenBy } from '../block/strategy';
import { brief } from '../conversation/text';
import { subjectOf } from '../conversation/tool-subject';
import type { AnsweredCall } from '../memory/answered-calls';

/** A result that gives way to a line. */
export interface Replacement {
  readonly answered: AnsweredCall;
  /** What stands in its place, tag included. */
  readonly text: string;
}

/** A result this short, in counted tokens, takes hardly more room than the line that would stand in its place. */
export const shortestReplaced = 60;

export function isReplaceable({ message, isUntouchable }: AnsweredCall): boolean {
  return !isUntouchable && !message.pruned && message.tokens >= shortestReplaced;
}

/** Counted tokens that a replacement frees, about: a line has roughly a token for each four characters. */
export function freed({ answered, text }: Replacement): number {
  return answered.message.tokens - Math.ceil(text.length / 4) - tokensAround;
}

/** Of a result besides its text. */
const tokensAround = 4;

export function planOfReplacements(
  strategy: string,
  parameters: Parameters,
  replacements: readonly Replacement[],
  reason: string,
): CompactionPlan {
  const tokens = tokensOf(replacements.map(({ answered }) => answered.message));
  return {
    strategy,
    parameters,
    summaryType: strategy,
    sections: [],
    turns: turnsOf(replacements),
    reason: `${counted(replacements.length, 'tool result')} (${tokens} tokens) ${reason}`,
    resultTexts: Object.fromEntries(replacements.map(({ answered, text }) => [answered.message.key, text])),
  };
}

function turnsOf(replacements: readonly Replacement[]): PlannedTurn[] {
  return [...Map.groupBy(replacements, ({ answered }) => answered.turn).values()].map((ofTurn) => ({
    user: ofTurn[0]?.answered.user ?? null,
    replaced: ofTurn.map(({ answered }) => answered.message),
  }));
}

/** A list of what was replaced and by what: what a person reads of such a block. */
export const writeReplacements: NonNullable<Strategy['write']> = async ({ plan, request }) => {
  const lines = request.turns
    .flatMap(({ entries }) => entries)
    .map(({ id }) => `- ${(plan.resultTexts?.[id] ?? '').replace(/^\[[A-Z]+\] /, '')}`);
  return writtenBy(plan.strategy, lines.join('\n'));
};

const subjectLength = 80;

/** What a call was, on one line: its tool, and what it was about. */
export function nameOf({ call }: AnsweredCall): string {
  const subject = brief(subjectOf(call), subjectLength);
  return subject === '' ? call.name : `${call.name} ${subject}`;
}
