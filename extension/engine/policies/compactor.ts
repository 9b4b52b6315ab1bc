import type { Parameters } from '../block/plan';
import { type CompactedHistory, type CycleOptions, compactHistory, parametersOf } from './compact-history';
import type { HistoryEntry } from './history';
import { type CompactionPolicy, emptyMemory, type PolicyMemory } from './policy';

/** Runs a policy for one agent over many cycles, and keeps the policy's memory between them. */
export class Compactor<P extends Parameters> {
  #memory: PolicyMemory = emptyMemory;

  constructor(
    readonly policy: CompactionPolicy<P>,
    readonly options: Omit<CycleOptions<P>, 'memory'> = {},
  ) {}

  shouldCompact(history: readonly HistoryEntry[]): boolean {
    return this.policy.shouldCompact(history, parametersOf(this.policy, this.options.parameters), this.#memory);
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
