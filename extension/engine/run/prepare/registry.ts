import type { Clearing, ContextSize, Parameters, Room } from '../../block/plan';
import type { AgeInput, Strategy } from '../../block/strategy';
import { untouchableFrom } from '../../conversation/steps';
import { segmentsOf } from '../../conversation/turns';
import type { CompactionPolicy } from '../../policies/policy';
import { listPolicy, policyStrategies } from '../../policies/policy-list';
import { policyStrategy } from '../../policies/policy-strategy';
import { clearedStrategy } from '../../strategies/cleared';
import { codexStrategy } from '../../strategies/codex';
import { goalBatchStrategy } from '../../strategies/goal-batch';
import { hierarchicalSummaryStrategy } from '../../strategies/hierarchical-summary';
import { ladderAim, rungs } from '../../strategies/ladder';
import { aMemStrategy, hybridStrategy, observationsStrategy } from '../../strategies/memory';
import {
  checkpointStrategy,
  handoffStrategy,
  naiveStrategy,
  protectedCoreStrategy,
} from '../../strategies/one-summary';
import { pruneStrategy } from '../../strategies/prune';
import { supersededStrategy } from '../../strategies/superseded';
import { thresholdStrategy } from '../../strategies/threshold';
import { toolCallsStrategy } from '../../strategies/tool-calls';
import { type LocalizableText, localizable } from '../../wording/localizable-text';

/** Groups for lists of strategies. `custom`: registered from outside; `by-hand`: never offered in a list. */
type StrategyGroup = 'tiers' | 'whole-history' | 'memory' | 'policies' | 'custom' | 'by-hand';

/** A choice of the user: one strategy, or several that run one after the other. */
export interface StrategyChoice {
  readonly name: string;
  readonly group: StrategyGroup;
  readonly title: LocalizableText;
  readonly description: LocalizableText;
  /** Carried out in this order, each until it has nothing more to plan. */
  readonly steps: readonly Strategy[];
  /** Absent: the steps do all they can, and each has its own automatic start. */
  readonly aim?: Aim;
}

/** A choice with an aim stops as soon as the context is small enough. */
interface Aim {
  /** Parameters of the choice itself, under its name. */
  readonly defaults: Parameters;
  /** Context size in tokens at which it starts automatically. */
  startsAt(contextWindow: number, parameters: Parameters): number;
  room(size: ContextSize, parameters: Parameters): Room;
  /** The target for output in an automatic run. Null: the same as for the rest. */
  clearing(size: ContextSize, parameters: Parameters): Clearing | null;
}

/** The tiers in order (docs/specification/strategies.md, "Pipeline"); each works on the context that the previous one leaves. */
const tiers: readonly Strategy[] = [anyOf(toolCallsStrategy), anyOf(thresholdStrategy), anyOf(goalBatchStrategy)];

const pipeline: StrategyChoice = {
  name: 'pipeline',
  group: 'tiers',
  title: localizable('Pipeline'),
  description: localizable(
    'All three tiers in order: tool calls, then what the agent said above the threshold, then old turns as goal batches.',
  ),
  steps: tiers,
};

const ladder: StrategyChoice = {
  name: 'ladder',
  group: 'tiers',
  title: localizable('Ladder'),
  description: localizable(
    'Until the context is small enough, the cheapest loss first: superseded output, old output, tool calls, what the agent said, old turns as goal batches, and finally one summary.',
  ),
  steps: rungs,
  aim: ladderAim,
};

/** Strategies with a single step, in the order of docs/strategies.md. */
const alone: readonly StrategyChoice[] = [
  ...[
    anyOf(supersededStrategy),
    anyOf(clearedStrategy),
    anyOf(checkpointStrategy),
    anyOf(pruneStrategy),
    anyOf(naiveStrategy),
    anyOf(codexStrategy),
    anyOf(hierarchicalSummaryStrategy),
  ].map((strategy) => choiceOf(strategy, 'whole-history')),
  ...[anyOf(aMemStrategy), anyOf(observationsStrategy), anyOf(protectedCoreStrategy), anyOf(hybridStrategy)].map(
    (strategy) => choiceOf(strategy, 'memory'),
  ),
  ...policyStrategies.map((strategy) => choiceOf(strategy, 'policies')),
  choiceOf(anyOf(handoffStrategy), 'whole-history'),
];

export const defaultStrategy = ladder.name;

/** The strategies that most people need. Lists offer these first, and the others on request. */
const usualStrategies: ReadonlySet<string> = new Set(['ladder', 'pipeline', 'checkpoint', 'codex', 'prune']);

/** Registered strategies are offered like the usual ones, because a program added them on purpose. */
export function isUsual({ name, group }: Pick<StrategyChoice, 'name' | 'group'>): boolean {
  return usualStrategies.has(name) || group === 'custom';
}

const choices = new Map<string, StrategyChoice>(
  [ladder, pipeline, ...tiers.map((tier) => choiceOf(tier, 'tiers')), ...alone].map((choice) => [choice.name, choice]),
);

/** All choices: Strata's own first, then registered ones in the order of registration. */
export function strategyChoices(): readonly StrategyChoice[] {
  return [...choices.values()];
}

/** Whether a chosen model may be asked to write its blocks. */
export function mayAskModel({ steps }: StrategyChoice): boolean {
  return steps.some(({ withoutModel }) => !withoutModel);
}

type ParameterOwner = Pick<Strategy, 'name' | 'defaults' | 'keepingNothing'>;

/** The owners of parameters in a choice: the choice itself if it has an aim, and its steps. */
export function ownersIn({ name, aim, steps }: StrategyChoice): readonly ParameterOwner[] {
  return aim ? [{ name, defaults: aim.defaults }, ...steps] : steps;
}

/** All owners of parameters, each name once. */
export function parameterOwners(): readonly ParameterOwner[] {
  return [
    ...new Map(
      strategyChoices()
        .flatMap(ownersIn)
        .map((owner) => [owner.name, owner]),
    ).values(),
  ];
}

export function findStrategy(name: string): StrategyChoice | undefined {
  return choices.get(name);
}

export class NameTaken extends Error {
  override name = 'NameTaken';
}

/** Makes a strategy selectable wherever strategies are chosen. Throws `NameTaken`. The returned function removes it. */
export function registerStrategy<P extends Parameters>(strategy: Strategy<P>): () => void {
  if (choices.has(strategy.name)) throw new NameTaken(`There is already a strategy named "${strategy.name}".`);
  choices.set(strategy.name, choiceOf(anyOf(strategy), 'custom'));
  return () => void choices.delete(strategy.name);
}

function choiceOf(strategy: Strategy, group: StrategyGroup): StrategyChoice {
  const { name, title, description } = strategy;
  return { name, group, title, description, steps: [strategy] };
}

/** Erases the parameter type of a strategy. Defaults fill in absent parameters, so none can be missing. */
function anyOf<P extends Parameters>(strategy: Strategy<P>): Strategy {
  const { startsAt, room, untouchedFrom, shortfall, ...rest } = strategy;
  const complete = (parameters: Parameters) => ({ ...strategy.defaults, ...parameters });
  return {
    ...rest,
    plan: (input, parameters) => strategy.plan(input, complete(parameters)),
    ...(startsAt ? { startsAt: (contextWindow, parameters) => startsAt(contextWindow, complete(parameters)) } : {}),
    ...(room ? { room: (size, parameters) => room(size, complete(parameters)) } : {}),
    ...(untouchedFrom ? { untouchedFrom: (input, parameters) => untouchedFrom(input, complete(parameters)) } : {}),
    ...(shortfall ? { shortfall: (input, parameters) => shortfall(input, complete(parameters)) } : {}),
  };
}

/** Index of the first message from which on no step of the choice may touch anything. */
export function untouchedFrom(
  { steps, aim }: StrategyChoice,
  input: AgeInput,
  parameters: Readonly<Record<string, Parameters>>,
): number {
  if (aim) return untouchableFrom(input.messages);
  const live = segmentsOf(input.messages).at(-1)?.start ?? 0;
  const starts = steps.map((step) => step.untouchedFrom?.(input, parameters[step.name] ?? {}) ?? live);
  return Math.max(...starts);
}

/** The target of a run in a context of this size; null if the choice has no target. */
export function roomOf(
  { name, steps, aim }: StrategyChoice,
  size: ContextSize,
  parameters: Readonly<Record<string, Parameters>>,
): Room | null {
  if (aim) return aim.room(size, { ...aim.defaults, ...parameters[name] });
  const [step, ...others] = steps;
  return others.length === 0 ? (step?.room?.(size, { ...step.defaults, ...parameters[step.name] }) ?? null) : null;
}

/** The room of an automatic run. It may clear output further: such runs come again and again, and each costs the provider's cache of the prompt. */
export function automaticRoomOf(
  choice: StrategyChoice,
  size: ContextSize,
  parameters: Readonly<Record<string, Parameters>>,
  room = roomOf(choice, size, parameters),
): Room | null {
  const { name, aim } = choice;
  const clearing = aim?.clearing(size, { ...aim.defaults, ...parameters[name] }) ?? null;
  return room && clearing && clearing.targetTokens < room.targetTokens ? { ...room, clearing } : room;
}

/**
 * Makes a policy selectable wherever strategies are chosen, under its name with hyphens, and available to `policyNamed`.
 * Throws `NameTaken`, or `BrokenPolicy` for an invalid name. Returns a function that removes it again.
 */
export function registerPolicy<P extends Parameters>(policy: CompactionPolicy<P>): () => void {
  const removeStrategy = registerStrategy(policyStrategy(policy));
  const removePolicy = listPolicy(policy);
  return () => {
    removeStrategy();
    removePolicy();
  };
}
