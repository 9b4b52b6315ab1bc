import type { Parameters } from '../../engine/block/plan';
import type { WritingTools } from '../../engine/block/strategy';
import type { VerificationMode } from '../../engine/compaction/verify';
import type { CompactionOrder } from '../../engine/run/workbench';

export interface AutomationOptions {
  readonly enabled: boolean;
  /** A context of so many tokens or fewer is left alone by strategies that go by its size; absent: 20,000, or half of a small window, or a tenth of a very large one. */
  readonly floorTokens: number;
  /** What must have been added before the next automatic compaction by size, or after an undo before any, in tokens; absent: half of what the floor is by itself, or an eighth of a small window. */
  readonly pauseTokens: number;
  /** The share of the size at which a strategy starts that is worth a warning, in percent; absent: 90. */
  readonly warnAtPercent: number;
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

/** What a run writes with. */
export type ToolsOutcome =
  | { readonly kind: 'ready'; readonly tools: WritingTools }
  /** The message is for a person: why, and what helps. */
  | { readonly kind: 'refused'; readonly message: string };

/** An order in which settings stand for what is left open. */
export type OrderAsSet = Partial<CompactionOrder> & Pick<CompactionOrder, 'tools' | 'signal'>;

/** Nothing that a person asked for, or that is due, stops at the floor. */
export function orderAsSet(
  { strategy, parameters, verification, automation }: CompactionSettings,
  asked: OrderAsSet,
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
