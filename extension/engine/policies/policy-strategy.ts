import {
  type CompactionPlan,
  type Parameters,
  type PlanInput,
  type PlannedTurn,
  type PlanOutcome,
  planKey,
  replacedTokens,
} from '../block/plan';
import { type Strategy, smallestWorthwhile, type WriteOrder, type WrittenBlock } from '../block/strategy';
import { blockForm, tokensOf } from '../conversation/context';
import { oneLine } from '../conversation/text';
import { openerOf, segmentsOf } from '../conversation/turns';
import { haloOf } from '../strategies/halo';
import { turnCount } from '../wording/counts';
import { asLocalizable, joined, type LocalizableText, localizable } from '../wording/localizable-text';
import { type HistoryEntry, historyOf, originalEntries, strategyName } from './history';
import { ModelMeter } from './model-meter';
import { BrokenPolicy, type CompactionPolicy, type Fate, type PolicyContext } from './policy';
import { isCarried, joined as joinedLines, recollected } from './recollection';
import { fatesOf, textOfTier, tierName } from './tiers';

/**
 * Applies a policy to the context of a coding agent. The policy's choice is rounded to whole turns: a turn is replaced
 * only if the policy takes all of it, and the live turn never. Adjacent turns of one tier become one block.
 */
export function policyStrategy<P extends Parameters>(policy: CompactionPolicy<P>): Strategy {
  const summaryType = usableName(policy);
  const name = strategyName(summaryType);
  return {
    name,
    title: asLocalizable(policy.title),
    description: asLocalizable(policy.description),
    defaults: policy.defaults,
    ...(policy.keepingNothing ? { keepingNothing: policy.keepingNothing } : {}),
    plan: (input, changes) => planOf(policy, input, { ...policy.defaults, ...changes }),
    shortfall: (input, changes) => shortfallOf(policy, input, { ...policy.defaults, ...changes }),
    write: (order) => writeBlock(policy, order),
  };
}

/** A policy's blocks replace whole turns, so its name must not be a type of another form. */
function usableName({ name }: Pick<CompactionPolicy, 'name'>): string {
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))
    throw new BrokenPolicy(`"${name}" is no name for a policy: it takes lower-case words, joined by underscores.`);
  const { covers, tag } = blockForm(name);
  if (covers !== 'turns' || tag !== blockForm('').tag)
    throw new BrokenPolicy(`A policy cannot be named "${name}": blocks of that type are made by another strategy.`);
  return name;
}

interface PolicySegment {
  readonly turn: PlannedTurn;
  readonly entries: readonly HistoryEntry[];
  /** The live turn, or a turn that stays because of the context's floor. */
  readonly isKept: boolean;
  readonly fate: Fate;
}

function planOf<P extends Parameters>(policy: CompactionPolicy<P>, input: PlanInput, parameters: P): PlanOutcome {
  const stretches = stretchesOf(input, policy);
  const history = stretches.flatMap((stretch) => stretch.entries);
  if (history.length === 0) return { kind: 'nothing-to-compact' };
  if (input.trigger === 'automatic' && !isDue(policy, history, parameters)) return notDue(policy, history);
  const runs = runsOf(withFates(stretches, fatesOf(policy, history, parameters)));
  const fresh = runs.filter((run) => isFresh(run, policy));
  if (fresh.length === 0) return { kind: history.some(isRaw) ? 'protected' : 'nothing-to-compact' };
  const plans = fresh
    .map((run) => planOfRun(policy, run, parameters))
    .filter((plan) => replacedTokens(plan) >= smallestWorthwhile && !input.rejected.has(planKey(plan)));
  return plans.length === 0 ? { kind: 'too-small' } : { kind: 'planned', plans };
}

function stretchesOf({ messages, floorTokens }: PlanInput, policy: CompactionPolicy): PolicySegment[] {
  const stretches: PolicySegment[] = [];
  let newer = 0;
  for (const segment of segmentsOf(messages).toReversed()) {
    const replaced = haloOf(messages, segment);
    const turn = { user: openerOf(messages, segment), replaced };
    const isKept = segment.end === messages.length || newer < floorTokens;
    if (replaced.length > 0) stretches.push({ turn, entries: historyOf(replaced, policy), isKept, fate: 'stays' });
    newer += tokensOf(replaced);
  }
  return stretches.toReversed();
}

function isDue<P extends Parameters>(policy: CompactionPolicy<P>, history: readonly HistoryEntry[], parameters: P) {
  const historicalSummaries = recollected(history, policy.remembers);
  return policy.shouldCompact(history, parameters, { historicalSummaries });
}

/** A sentence about a history that remains long enough to trigger the policy, because it may not take some entries. */
function shortfallOf<P extends Parameters>(
  policy: CompactionPolicy<P>,
  input: PlanInput,
  parameters: P,
): LocalizableText | null {
  const stretches = stretchesOf(input, policy);
  const history = stretches.flatMap(({ entries }) => entries);
  if (!isDue(policy, history, parameters)) return null;
  const fates = fatesOf(policy, history, parameters);
  const left = history.filter((entry, at) => fates[at] !== 'stays' && isRaw(entry)).length;
  if (left === 0) return null;
  return joined(
    history.length === 1
      ? localizable('1 history entry is left, more than its parameters allow.')
      : localizable('{0} history entries are left, more than its parameters allow.', history.length),
    localizable(
      '{0} of them would go, but only whole turns that make a smaller block are replaced, and never the live one.',
      left,
    ),
  );
}

function notDue({ title }: Pick<CompactionPolicy, 'title'>, history: readonly HistoryEntry[]): PlanOutcome {
  const reason =
    history.length === 1
      ? localizable('1 history entry is too few for {0} to start by itself.', title)
      : localizable('{0} history entries are too few for {1} to start by itself.', history.length, title);
  return { kind: 'not-triggered', reason };
}

/**
 * A turn in two tiers goes to the newer one. A turn that is taken only in part stays. Segments without entries go with
 * the one before them.
 */
function withFates(stretches: readonly PolicySegment[], fates: readonly Fate[]): PolicySegment[] {
  let at = 0;
  let fate: Fate = 'stays';
  return stretches.map((stretch) => {
    const own = fates.slice(at, at + stretch.entries.length);
    at += own.length;
    fate = stretch.isKept || own.includes('stays') ? 'stays' : (own.at(-1) ?? fate);
    return { ...stretch, fate };
  });
}

/** Adjacent taken turns of one tier, so that no block changes the order of the story. */
function runsOf(stretches: readonly PolicySegment[]): PolicySegment[][] {
  const runs: PolicySegment[][] = [];
  let before: PolicySegment | undefined;
  for (const stretch of stretches) {
    const continues = before !== undefined && tierName(before.fate) === tierName(stretch.fate);
    if (stretch.fate !== 'stays' && continues) runs.at(-1)?.push(stretch);
    else if (stretch.fate !== 'stays') runs.push([stretch]);
    before = stretch;
  }
  return runs;
}

/** Summaries alone are not summarised again, unless a summary of this policy has aged into another tier. */
function isFresh(run: readonly PolicySegment[], { remembers }: Pick<CompactionPolicy, 'remembers'>): boolean {
  const tier = tierOf(run);
  const grewOlder = (entry: HistoryEntry) =>
    entry.tier !== undefined && entry.tier !== tier && !isCarried(entry, remembers);
  return run.some(({ entries }) => entries.some((entry) => isRaw(entry) || grewOlder(entry)));
}

function isRaw({ type }: HistoryEntry): boolean {
  return type === 'step' || type === 'user';
}

function tierOf(run: readonly PolicySegment[]): string | undefined {
  return tierName(run[0]?.fate ?? 'stays') ?? undefined;
}

function planOfRun(policy: CompactionPolicy, run: readonly PolicySegment[], parameters: Parameters): CompactionPlan {
  const entriesSummarized = originalEntries(run.flatMap(({ entries }) => entries));
  const tier = tierOf(run);
  const size = localizable('{0} with {1} history entries', turnCount(run.length), entriesSummarized);
  return {
    strategy: strategyName(policy.name),
    parameters,
    summaryType: policy.name,
    sections: [],
    turns: run.map(({ turn }) => turn),
    reason:
      tier === undefined
        ? localizable('{0}, older than what {1} keeps.', size, policy.title)
        : localizable('{0} in the tier "{1}", older than what {2} keeps.', size, tier, policy.title),
    entriesSummarized,
    ...(tier === undefined ? {} : { tier }),
  };
}

/** Nothing is removed without a trace, so that it can be seen and undone. */
const discardedBody = '[earlier turns discarded]';

async function writeBlock<P extends Parameters>(
  policy: CompactionPolicy<P>,
  { plan, request, tools, signal }: WriteOrder,
): Promise<WrittenBlock> {
  const entries = plan.turns.flatMap(({ replaced }) => historyOf(replaced, policy));
  const { core, liveGoal } = request;
  const meter = new ModelMeter(tools.model);
  const context: PolicyContext<P> = {
    parameters: { ...policy.defaults, ...plan.parameters },
    task: core?.current_goal ?? liveGoal ?? core?.original_goal ?? null,
    instructions: request.instructions,
    model: meter.metered,
    signal,
  };
  const body = await bodyOf(policy, plan.tier ?? null, entries, context);
  const { model, ...spent } = meter.spent;
  return { body, spans: [], ...spent, writer: { name: plan.strategy, model } };
}

async function bodyOf<P extends Parameters>(
  policy: CompactionPolicy<P>,
  tier: string | null,
  entries: readonly HistoryEntry[],
  context: PolicyContext<P>,
): Promise<string> {
  const own = entries.filter((entry) => !isCarried(entry, policy.remembers));
  const text = (await textOfTier(policy, { name: tier, entries: own }, context)) ?? discardedBody;
  if (!policy.remembers) return text;
  const historical = recollected(entries, policy.remembers);
  return [oneLine(text), ...(historical.length === 0 ? [] : [joinedLines(historical)])].join('\n');
}
