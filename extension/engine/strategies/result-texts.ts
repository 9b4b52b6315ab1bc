import type { CompactionPlan, Parameters, PlannedTurn } from '../block/plan';
import { type Strategy, writtenBy } from '../block/strategy';
import type { ContextMessage } from '../conversation/context';
import { groupedBy } from '../conversation/grouped-by';
import { brief } from '../conversation/text';
import { subjectOf } from '../conversation/tool-subject';
import type { AnsweredCall } from '../memory/answered-calls';
import { type SentenceOf, toolResultCount } from '../wording/counts';

/** A tool result that is replaced by one line. */
export interface Replacement {
  readonly answered: AnsweredCall;
  /** The text in its place, with the tag. */
  readonly text: string;
}

/** Minimum counted tokens of a replaced result; a shorter one is hardly longer than the line in its place. */
const shortestReplaced = 60;

export function isReplaceable({ message, isUntouchable }: AnsweredCall): boolean {
  return !isUntouchable && !message.pruned && message.tokens >= shortestReplaced;
}

export function freed({ answered, text }: Replacement): number {
  return freedTokens(answered.message, text);
}

/** Approximate counted tokens that this text frees in place of a result, with four characters per token. */
export function freedTokens({ tokens }: ContextMessage, text: string): number {
  return tokens - Math.ceil(text.length / 4) - tokensAround;
}

/** Tokens of a result in addition to its text. */
const tokensAround = 4;

export function planOfReplacements(
  strategy: string,
  parameters: Parameters,
  replacements: readonly Replacement[],
  reasonOf: SentenceOf,
): CompactionPlan {
  return {
    strategy,
    parameters,
    summaryType: strategy,
    sections: [],
    turns: turnsOf(replacements),
    reason: reasonOf(toolResultCount(replacements.length)),
    resultTexts: Object.fromEntries(
      replacements.map(({ answered, text }) => [answered.message.key, text.toWellFormed()]),
    ),
  };
}

function turnsOf(replacements: readonly Replacement[]): PlannedTurn[] {
  return [...groupedBy(replacements, ({ answered }) => answered.turn).values()].map((ofTurn) => ({
    user: ofTurn[0]?.answered.user ?? null,
    replaced: ofTurn.map(({ answered }) => answered.message),
  }));
}

/** Lists what was replaced and by what; this is the text of such a block for the user. */
export const writeReplacements: NonNullable<Strategy['write']> = async ({ plan, request }) => {
  const lines = request.turns
    .flatMap(({ entries }) => entries)
    .map(({ id }) => `- ${(plan.resultTexts?.[id] ?? '').replace(/^\[[A-Z]+\] /, '')}`);
  return writtenBy(plan.strategy, lines.join('\n'));
};

const subjectLength = 80;

/** A call on one line: its tool and its subject. */
export function nameOf({ call }: AnsweredCall): string {
  const subject = brief(subjectOf(call), subjectLength);
  return subject === '' ? call.name : `${call.name} ${subject}`;
}
