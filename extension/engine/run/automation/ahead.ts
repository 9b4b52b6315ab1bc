import { contextSize, type Parameters } from '../../block/plan';
import type { Context } from '../../conversation/context';
import type { JournalState } from '../../journal/journal-state';
import { ladderAim } from '../../strategies/ladder';
import type { StrategyChoice } from '../prepare/registry';
import { startOf } from './automation';

/** When blocks are written ahead of the compaction that needs them. */
export interface AheadSettings {
  /** A run is prepared from this share of the size at which the context is compacted. 0: never. */
  readonly prepareAt: number;
  /** Share of the window that must be added before the run is prepared again. */
  readonly renewAfter: number;
  /** Maximum tokens of models, read and written, that preparing may spend in one conversation. */
  readonly prepareTokens: number;
}

export const aheadDefaults: AheadSettings = { prepareAt: 0.7, renewAfter: 0.15, prepareTokens: 1_000_000 };

interface AheadInput {
  readonly settings: AheadSettings;
  readonly strategy: StrategyChoice;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly state: JournalState;
  readonly context: Context;
  readonly contextWindow: number;
  /** A request of more tokens than this does not fit, so the context is compacted before it. Absent: the window. */
  readonly mostTokens?: number | undefined;
  /** Whether the run in the journal could be taken now. */
  readonly fits: boolean;
  /** A compaction of this size in tokens would pay now, whatever the size of the context. */
  readonly wantedTokens?: number | undefined;
}

export type AheadDecision =
  | { readonly kind: 'off' }
  /** The context is not large enough yet. */
  | { readonly kind: 'early' }
  /** Too little was added since the last preparation. */
  | { readonly kind: 'recent' }
  /** Another one would spend more than the settings allow. */
  | { readonly kind: 'spent' }
  /** `targetTokens`: for a strategy with a target. */
  | { readonly kind: 'due'; readonly targetTokens?: number };

export function decideAhead(input: AheadInput): AheadDecision {
  const { settings, state, context, contextWindow, fits } = input;
  if (settings.prepareAt <= 0) return { kind: 'off' };
  const tokens = context.tokens.total;
  if (input.wantedTokens === undefined && tokens < preparedFrom(input)) return { kind: 'early' };
  const { prepared, preparedTokens } = state;
  const isTried = prepared !== null && (fits || prepared.records.length === 0);
  if (isTried && tokens < prepared.contextTokens + settings.renewAfter * contextWindow) return { kind: 'recent' };
  if (preparedTokens + tokens > settings.prepareTokens) return { kind: 'spent' };
  const targetTokens = input.wantedTokens ?? aheadTarget(input);
  return targetTokens === null ? { kind: 'due' } : { kind: 'due', targetTokens };
}

type Sizes = Pick<AheadInput, 'settings' | 'strategy' | 'parameters' | 'contextWindow' | 'mostTokens'>;

/** The size of the context, in tokens, at which a run begins to be prepared. */
export function preparedFrom({ settings, ...sizes }: Sizes): number {
  return settings.prepareAt * compactedAt(sizes);
}

/** The size in tokens at which the context is compacted. A strategy that starts by count leaves that to the window. */
function compactedAt({ strategy, parameters, contextWindow, mostTokens }: Omit<Sizes, 'settings'>): number {
  const size = startOf(strategy, contextWindow, parameters) ?? ladderAim.startsAt(contextWindow, ladderAim.defaults);
  return Math.min(size, mostTokens ?? contextWindow);
}

/** Smallest share that a run is prepared for, of what the strategy's own target leaves beside what no run changes. */
const leastOfTarget = 0.25;

/**
 * Messages until the compaction follow the prepared blocks, so the target leaves room for them: the context then has
 * the strategy's target size.
 */
function aheadTarget(input: AheadInput): number | null {
  const { strategy, parameters, context, contextWindow } = input;
  if (!strategy.aim) return null;
  const startsAt = compactedAt(input);
  const size = { ...contextSize(context.tokens, contextWindow, true), contextTokens: startsAt };
  const { targetTokens } = strategy.aim.room(size, { ...strategy.aim.defaults, ...parameters[strategy.name] });
  const growth = Math.max(0, startsAt - context.tokens.total);
  const least = targetTokens - (1 - leastOfTarget) * Math.max(0, targetTokens - size.fixedTokens);
  return Math.round(Math.max(least, targetTokens - growth));
}
