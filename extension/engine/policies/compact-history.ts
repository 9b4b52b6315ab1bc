import type { LanguageModel } from '../block/language-model';
import type { Parameters } from '../block/plan';
import { discarded, type HistoryEntry, originalEntries } from './history';
import { type CompactionPolicy, emptyMemory, type PolicyContext, type PolicyMemory } from './policy';
import { isCarried, joined, lastOf, recollected, remember, rememberedText } from './recollection';
import { fatesOf, textOfTier, tiersOf } from './tiers';

/** The options of one cycle. Parameters that are left out keep their defaults. */
export interface CycleOptions<P extends Parameters> {
  readonly parameters?: Partial<P>;
  readonly task?: string;
  readonly instructions?: string;
  readonly model?: LanguageModel;
  readonly signal?: AbortSignal;
  readonly memory?: PolicyMemory;
}

export interface CompactedHistory {
  /** Summaries first, then the entries that stayed. Unchanged if the policy takes nothing. */
  readonly history: readonly HistoryEntry[];
  /** For a person; empty if nothing was compacted. */
  readonly summary: string;
  readonly memory: PolicyMemory;
}

/** Runs one cycle of a policy over a history, whether it is due or not. Rejects with the model's error. */
export async function compactHistory<P extends Parameters>(
  policy: CompactionPolicy<P>,
  history: readonly HistoryEntry[],
  options: CycleOptions<P> = {},
): Promise<CompactedHistory> {
  const { memory = emptyMemory } = options;
  const context = contextOf(policy, options);
  const fates = fatesOf(policy, history, context.parameters);
  const summarized: SummarizedTier[] = [];
  for (const tier of tiersOf(history, fates)) {
    const entries = tier.entries.filter((entry) => !isCarried(entry, policy.remembers));
    const text = entries.length === 0 ? null : await textOfTier(policy, { ...tier, entries }, context);
    summarized.push({ name: tier.name, count: originalEntries(entries), text });
  }
  const taken = history.filter((_, at) => fates[at] !== 'stays');
  if (taken.length === 0) return { history, summary: '', memory };
  const earlier = earlierSummaries(policy, history, taken, memory);
  return {
    history: [...assembled(policy, summarized, earlier), ...history.filter((_, at) => fates[at] === 'stays')],
    summary: joined(summarized.flatMap(tierText)),
    memory: remember(earlier, rememberedOf(policy, summarized), policy.remembers),
  };
}

interface SummarizedTier {
  readonly name: string | null;
  readonly count: number;
  readonly text: string | null;
}

function contextOf<P extends Parameters>(policy: CompactionPolicy<P>, options: CycleOptions<P>): PolicyContext<P> {
  return {
    parameters: { ...policy.defaults, ...options.parameters },
    task: options.task ?? null,
    instructions: options.instructions ?? null,
    model: options.model ?? null,
    signal: options.signal ?? new AbortController().signal,
  };
}

/** A history that contains summaries of earlier cycles is its own memory; `memory` is for one that does not. */
function earlierSummaries(
  { remembers }: Pick<CompactionPolicy, 'remembers'>,
  history: readonly HistoryEntry[],
  taken: readonly HistoryEntry[],
  { historicalSummaries }: PolicyMemory,
): string[] {
  if (!remembers) return [];
  const isInHistory = history.some((entry) => isCarried(entry, remembers));
  return isInHistory ? recollected(taken, remembers) : lastOf(historicalSummaries, remembers);
}

/** The historical summaries follow the newest summary of their tier. */
function assembled(
  { remembers }: Pick<CompactionPolicy, 'remembers'>,
  summarized: readonly SummarizedTier[],
  earlier: readonly string[],
): HistoryEntry[] {
  const historical: HistoryEntry[] =
    earlier.length === 0 ? [] : [{ type: 'historical_summary', content: joined(earlier) }];
  const isOfTier = ({ name }: SummarizedTier) => name !== null && name === remembers?.tier;
  return [
    ...summarized.filter(isOfTier).flatMap(summaryEntry),
    ...historical,
    ...summarized.filter((tier) => !isOfTier(tier)).flatMap(summaryEntry),
  ];
}

function summaryEntry({ name, count, text }: SummarizedTier): HistoryEntry[] {
  if (text === null) return [];
  const tier = name === null ? {} : { tier: name };
  return [{ type: 'summary', ...tier, content: text, entries_summarized: count }];
}

function tierText({ count, text }: SummarizedTier): string[] {
  if (text !== null) return [text];
  return count === 0 ? [] : [discarded(count)];
}

function rememberedOf(
  { remembers }: Pick<CompactionPolicy, 'remembers'>,
  summarized: readonly SummarizedTier[],
): string[] {
  return summarized.flatMap(({ name, text }) =>
    remembers && name === remembers.tier && text !== null ? [rememberedText({ content: text })] : [],
  );
}

/** Runs a policy for one agent over many cycles, and keeps the policy's memory between them. */
export class Compactor<P extends Parameters> {
  #memory: PolicyMemory = emptyMemory;

  constructor(
    readonly policy: CompactionPolicy<P>,
    readonly options: Omit<CycleOptions<P>, 'memory'> = {},
  ) {}

  shouldCompact(history: readonly HistoryEntry[]): boolean {
    return this.policy.shouldCompact(history, { ...this.policy.defaults, ...this.options.parameters }, this.#memory);
  }

  /** A failed cycle does not change the memory. */
  async compact(history: readonly HistoryEntry[], changes: CycleOptions<P> = {}): Promise<CompactedHistory> {
    const options = { ...this.options, memory: this.#memory, ...changes };
    const compacted = await compactHistory(this.policy, history, options);
    this.#memory = compacted.memory;
    return compacted;
  }

  /** Clears the memory. Summaries in a history are part of it and stay. */
  reset(): void {
    this.#memory = emptyMemory;
  }
}
