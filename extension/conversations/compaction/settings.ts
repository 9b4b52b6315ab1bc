import type { Parameters } from '../../engine/block/plan';
import type { WritingTools } from '../../engine/block/strategy';
import type { VerificationMode } from '../../engine/compaction/verify';
import { type AheadSettings, aheadDefaults } from '../../engine/run/automation/ahead';
import type { CompactionOrder } from '../../engine/run/workbench';

export interface AutomationOptions {
  readonly enabled: boolean;
  /** Strategies that start by size leave a context of at most this many tokens alone. Default: 20,000, half of a small window, or a tenth of a very large one. */
  readonly floorTokens: number;
  /** Tokens that must be added before the next automatic compaction by size, and after an undo before any. Default: half of the default floor, or an eighth of a small window. */
  readonly pauseTokens: number;
  /** Percent of the size at which a strategy starts, above which a warning is shown. Default: 90. */
  readonly warnAtPercent: number;
  /**
   * `cost`: between turns, and for models with known prices, a run starts when it costs less than it saves over the requests expected, and
   * leaves the size that costs least. Within a turn only output is cleared. `size`: when the strategy's own trigger is reached. Default: `cost`.
   */
  readonly schedule?: 'size' | 'cost';
  /** The smallest size that a run by cost leaves: up to 1 a share of the window, above 1 tokens. Default: the strategy's own target. */
  readonly smallestTarget?: number;
  /**
   * A model writes blocks ahead, so that no request waits for it, from this share of the size at which the context is compacted.
   * 0: no blocks are written ahead. Default: 0.7 in the editor and inside agents, else 0.
   */
  readonly prepareAt?: number;
  /** Share of the window that must be added before blocks that were written ahead are written again. Default: 0.15. */
  readonly renewAfter?: number;
  /** Maximum tokens, read and written, that writing ahead may spend in one conversation. Default: 1,000,000. */
  readonly prepareTokens?: number;
}

/** When blocks are written ahead. `prepareAt`: used if the options have none. */
export function aheadOf(options: AutomationOptions, prepareAt = aheadDefaults.prepareAt): AheadSettings {
  const { renewAfter = aheadDefaults.renewAfter, prepareTokens = aheadDefaults.prepareTokens } = options;
  return { prepareAt: options.prepareAt ?? prepareAt, renewAfter, prepareTokens };
}

/** How a conversation is compacted. */
export interface CompactionSettings {
  /** By name. */
  readonly strategy: string;
  /** Parameters by strategy name; absent ones have their defaults. */
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly verification: VerificationMode;
  readonly automation: AutomationOptions;
}

/** The tools a run writes with, or why there are none. */
export type ToolsOutcome =
  | { readonly kind: 'ready'; readonly tools: WritingTools }
  /** For the person: the reason, and what to do. */
  | { readonly kind: 'refused'; readonly message: string };

/** An order whose missing fields come from the settings. */
export type OrderChoices = Partial<CompactionOrder> & Pick<CompactionOrder, 'tools' | 'signal'>;

/** The floor applies only to automatic runs that are not due. */
export function orderFrom(
  { strategy, parameters, verification, automation }: CompactionSettings,
  asked: OrderChoices,
): CompactionOrder {
  const isLeftAlone = asked.trigger === 'automatic' && !asked.isDue;
  return {
    ...asked,
    strategy: asked.strategy ?? strategy,
    parameters: asked.parameters ?? parameters,
    verification: asked.verification ?? verification,
    instructions: asked.instructions ?? null,
    floorTokens: isLeftAlone ? automation.floorTokens : 0,
  };
}
