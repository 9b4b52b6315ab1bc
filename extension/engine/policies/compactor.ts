import type { Parameters } from '../block/plan';
import { type CompactedHistory, type CycleOptions, compactHistory, parametersOf } from './compact-history';
import type { HistoryEntry } from './history';
import { type CompactionPolicy, emptyMemory, type PolicyMemory } from './policy';

/** A policy over many cycles of one agent: it keeps what the policy remembers between them. */
export class Compactor<P extends Parameters> {
  #memory: PolicyMemory = emptyMemory;

  constructor(
    readonly policy: CompactionPolicy<P>,
    readonly options: Omit<CycleOptions<P>, 'memory'> = {},
  ) {}

  shouldCompact(history: readonly HistoryEntry[]): boolean {
    return this.policy.shouldCompact(history, parametersOf(this.policy, this.options.parameters), this.#memory);
  }

  /** A cycle that fails leaves the memory as it was. */
  async compact(history: readonly HistoryEntry[], changes: CycleOptions<P> = {}): Promise<CompactedHistory> {
    const options = { ...this.options, memory: this.#memory, ...changes };
    const compacted = await compactHistory(this.policy, history, options);
    this.#memory = compacted.memory;
    return compacted;
  }

  /** Forgets what earlier cycles said. Summaries that stand in a history are part of it, and stay. */
  reset(): void {
    this.#memory = emptyMemory;
  }
}
