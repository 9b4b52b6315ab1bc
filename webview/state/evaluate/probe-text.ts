import type { ContextKind } from '../../../extension/engine/conversation/context';
import type { ActionProbe, GoalProbe, TruthOfConstraint } from '../../../extension/evaluation/measure/results';
import type { Verdict } from '../../../extension/evaluation/measure/tasks/task';
import type { ContextTextView, ProbeView } from '../../../extension/protocol/evaluation';
import { t } from '../../l10n';
import type { Fact } from '../shared/cost';
import { formatDuration, formatShare, formatTokens } from '../shared/format';
import { labelOf } from '../timeline/row-kinds';
import { formatValue } from './metrics';

/** A result in words, and whether it is good. */
export interface Finding {
  readonly isGood: boolean;
  readonly words: string;
}

export function kindWord(kind: ContextKind): string {
  if (kind === 'tool_call') return t('tool call');
  return kind === 'tool_result' ? t('tool result') : labelOf(kind);
}

export const optionWords: Readonly<Record<Verdict, string>> = {
  aligned: t('right'),
  violates: t('breaks a constraint'),
  revives: t('pursues a former goal'),
  restarts: t('does finished work again'),
  repeats: t('tries a dead end again'),
};

export function goalFinding({ isTold, regressedTo, unusable }: GoalProbe): Finding {
  if (unusable !== null) return { isGood: false, words: t('not usable: {0}', unusable) };
  if (isTold) return { isGood: true, words: t('states the current goal') };
  if (regressedTo !== null) return { isGood: false, words: t('states a former goal: {0}', regressedTo) };
  return { isGood: false, words: t('does not state the goal') };
}

/** `coherence 71 %, with the original goal 40 %, with the goal before 93 %`. */
export function coherenceText({ coherence, originalCoherence, earlierCoherence }: GoalProbe): string {
  const shown = (value: number) => formatValue('goal-coherence', value);
  return [
    t('coherence {0}', shown(coherence)),
    ...(originalCoherence === undefined ? [] : [t('with the original goal {0}', shown(originalCoherence))]),
    ...(earlierCoherence === undefined ? [] : [t('with the goal before {0}', shown(earlierCoherence))]),
  ].join(', ');
}

export function constraintFinding({ isRecalled, isHeld }: TruthOfConstraint): Finding {
  if (isRecalled) return { isGood: true, words: t('stated') };
  return { isGood: false, words: isHeld ? t('in the context, not stated') : t('gone from the context') };
}

export function actionFinding({ options, unusable, rating }: ActionProbe): Finding {
  if (unusable !== null) return { isGood: false, words: t('not usable: {0}', unusable) };
  const aligned = options
    .filter(({ verdict }) => verdict === 'aligned')
    .reduce((sum, { likelihood }) => sum + likelihood, 0);
  const words = t('right with a probability of {0}', formatShare(aligned, 1));
  return { isGood: aligned >= 0.5, words: rating === null ? words : t('{0}, rated {1} of 5', words, rating) };
}

export function costFacts({ cost }: ProbeView['boundary']): readonly Fact[] {
  const { tokensBefore, tokensAfter, tokensSaid, blocks, spent, durationMs } = cost;
  return [
    { text: `${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)}`, note: t('Tokens of the context') },
    { text: t('{0} of the conversation', formatShare(tokensAfter, tokensSaid)), note: t('After the compaction') },
    { text: blocks === 1 ? t('1 block') : t('{0} blocks', blocks), note: t('Made by this compaction') },
    ...(spent.input + spent.output > 0
      ? [{ text: t('{0} tokens spent', formatTokens(spent.input + spent.output)), note: t('By models') }]
      : []),
    { text: formatDuration(durationMs), note: t('How long the compaction took') },
  ];
}

interface KindCount {
  readonly kind: ContextKind;
  readonly count: number;
  readonly tokens: number;
}

/** Ordered by the first occurrence of each kind in the context. */
export function kindCounts(context: readonly ContextTextView[]): readonly KindCount[] {
  return [...Map.groupBy(context, ({ kind }) => kind)].map(([kind, messages]) => ({
    kind,
    count: messages.length,
    tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
}

/** Blocks and the core, which readers look for first. */
export function isStratum(kind: ContextKind): boolean {
  return kind === 'core' || kind === 'summary' || kind === 'goal_batch';
}

/** The first line that is not empty. */
export function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim().length > 0)
      ?.trim()
      .slice(0, 240) ?? ''
  );
}
