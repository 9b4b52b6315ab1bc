import type { PlanOutcome, Room } from '../../block/plan';
import type { Strategy } from '../../block/strategy';
import type { Context } from '../../conversation/context';
import { amount, joined, type LocalizableText, listed, localizable } from '../../wording/localizable-text';
import type { StrategyChoice } from './registry';
import { untouchedSizes } from './untouched-sizes';

/** The notes of a run, in order. */
export class RunNotes {
  readonly #all: LocalizableText[] = [];

  get all(): readonly LocalizableText[] {
    return this.#all;
  }

  add(...notes: readonly LocalizableText[]): void {
    this.#all.push(...notes);
  }

  addOnce(note: LocalizableText): void {
    if (!this.#all.some((known) => String(known) === String(note))) this.add(note);
  }
}

/** A sentence about one step. */
export function noteOf({ title }: Strategy, sentence: LocalizableText): LocalizableText {
  return localizable('{0}: {1}', title, sentence);
}

/** The sizes of what no compaction touches, and whether the ladder goes further. Null if the target is reached. */
export function missedTargetNote(
  { title, aim }: StrategyChoice,
  context: Context,
  room: Room | null,
): LocalizableText | null {
  const { total } = context.tokens;
  if (room === null || total <= room.mostTokens) return null;
  const missed = localizable(
    'The context has {0} tokens, and the target is {1}.',
    amount(total),
    amount(room.mostTokens),
  );
  const kept = untouchedSizes(context);
  const sizes = listed(kept.map(({ name, tokens }) => localizable('{0} ({1})', name, amount(tokens))));
  const named = localizable('What no compaction touches: {0}.', sizes);
  const leastTokens = kept.reduce((sum, { tokens }) => sum + tokens, 0);
  const alone = localizable('{0} alone frees no more; the ladder goes further.', title);
  const goesFurther = aim === undefined && leastTokens <= room.mostTokens;
  return joined(missed, named, ...(goesFurther ? [alone] : []));
}

/** Why a step planned nothing. */
export function explain(outcome: Exclude<PlanOutcome, { kind: 'planned' }>): LocalizableText {
  switch (outcome.kind) {
    case 'nothing-to-compact':
      return localizable('there is nothing of that kind to compact.');
    case 'protected':
      return localizable('all of it is in the current turn or too recent.');
    case 'too-small':
      return localizable('a summary would not be shorter than what is there.');
    case 'outside-range':
      return localizable('there is nothing of that kind in the chosen range that it may touch.');
    case 'not-triggered':
      return outcome.reason;
  }
}
