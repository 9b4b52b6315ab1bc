import type { PlanOutcome, Room } from '../../block/plan';
import type { Strategy } from '../../block/strategy';
import type { Context } from '../../conversation/context';
import { untouchableOf } from '../../conversation/steps';
import { amount, joined, type LocalizableText, listed, localizable } from '../../wording/localizable-text';
import type { StrategyChoice } from './registry';

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

export function explain(outcome: Exclude<PlanOutcome, { kind: 'planned' }>): LocalizableText {
  switch (outcome.kind) {
    case 'nothing-to-compact':
      return localizable('there is nothing of that kind to compact.');
    case 'protected':
      return localizable('all of it is in the current turn or too recent.');
    case 'too-small':
      return localizable('a summary would not be shorter than the present text.');
    case 'outside-range':
      return localizable('there is nothing of that kind in the chosen range that it may touch.');
    case 'not-triggered':
      return outcome.reason;
  }
}

interface UntouchedSize {
  readonly name: LocalizableText;
  readonly tokens: number;
}

/** The parts of a context that no compaction touches, with their calibrated tokens, largest first. */
function untouchedSizes({ messages, tokens }: Context): UntouchedSize[] {
  const { prompt, newestStep, has } = untouchableOf(messages);
  const counted = { prompt: 0, newestStep: 0, openCalls: 0 };
  for (const [index, message] of messages.entries()) {
    if (!has(index) || message.kind === 'system' || message.kind === 'core') continue;
    if (index === prompt) counted.prompt += message.tokens;
    else if (index >= newestStep) counted.newestStep += message.tokens;
    else counted.openCalls += message.tokens;
  }
  const calibrated = (count: number) => Math.round(count * tokens.calibration);
  const sizes = [
    { name: localizable('the system prompt'), tokens: tokens.byKind.system },
    { name: localizable('the protected core'), tokens: tokens.byKind.core },
    { name: localizable('earlier messages, not in this file'), tokens: tokens.byKind.earlier },
    { name: localizable('growth that no record explains'), tokens: tokens.byKind.unexplained },
    { name: localizable('your newest prompt'), tokens: calibrated(counted.prompt) },
    { name: localizable('the newest step'), tokens: calibrated(counted.newestStep) },
    { name: localizable('open calls'), tokens: calibrated(counted.openCalls) },
  ];
  return sizes.filter((size) => size.tokens > 0).sort((a, b) => b.tokens - a.tokens);
}
