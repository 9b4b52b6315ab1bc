import type { Caller } from '../../../extension/protocol/rpc';
import type { ComparisonRow, StrategyView, SummarizerView } from '../../../extension/protocol/view';
import type { ContextChange, ContextRevision, SessionState } from '../session.svelte';
import { type Loadable, load, loading } from '../shared/loadable';
import {
  type ComparisonColumn,
  type ComparisonLine,
  type ComparisonSort,
  nextSort,
  sortLines,
} from './comparison-sort';
import { SideBySide } from './side-by-side.svelte';
import { WrittenRuns } from './written-runs.svelte';

/** Dry runs of all strategies, one after the other, to compare what each keeps and saves. */
export class Comparison {
  #lines = $state.raw<readonly ComparisonLine[]>([]);
  sort = $state.raw<ComparisonSort | null>(null);
  phase = $state<'idle' | 'running' | 'stopped' | 'done'>('idle');
  /** The strategies chosen for side-by-side view. */
  readonly beside: SideBySide;
  /** Runs that the chosen model wrote on request. */
  readonly written: WrittenRuns;
  #revision = $state.raw<ContextRevision>({ context: 0, growth: 0 });
  /** Number of the newest run; answers of older or stopped runs are dropped. */
  #run = 0;

  constructor(
    private readonly session: SessionState,
    private readonly request: Caller['request'],
    summarizer: () => SummarizerView | null,
  ) {
    this.beside = new SideBySide(request);
    this.written = new WrittenRuns(summarizer, request);
  }

  readonly lines: readonly ComparisonLine[] = $derived.by(() => sortLines(this.#lines, this.sort));
  readonly total = $derived.by(() => this.#lines.length);
  readonly done = $derived.by(() => this.#lines.filter(({ result }) => isSettled(result)).length);
  readonly isRunning = $derived(this.phase === 'running');
  /** Strategies are compared, or a model writes one of them. */
  readonly isWorking: boolean = $derived.by(() => this.isRunning || this.written.isWriting);
  /** The common reason why no strategy could be compared; null if the reasons differ or any strategy could. */
  readonly failure: string | null = $derived.by(() => (this.isRunning ? null : sharedFailure(this.#lines)));
  /** The change of the context since the start, which may outdate the numbers; null if there is none. */
  readonly staleness: ContextChange | null = $derived.by(() =>
    this.phase === 'idle' ? null : this.session.changeSince(this.#revision),
  );

  /** The state of the context to which the numbers belong. */
  get revision(): ContextRevision {
    return this.#revision;
  }

  /** Texts that a model wrote for the same context stay, because they cost tokens. */
  async start(strategies: readonly StrategyView[]): Promise<void> {
    this.#run += 1;
    this.beside.reset();
    if (this.staleness !== null) this.written.reset();
    this.#revision = this.session.revision;
    this.#lines = strategies.map((strategy) => ({ strategy, result: null }));
    await this.#compareAll(this.#run);
  }

  /** Compares further strategies in the same context, and keeps what there is. */
  async add(strategies: readonly StrategyView[]): Promise<void> {
    const known = new Set(this.#lines.map(({ strategy }) => strategy.name));
    const further = strategies.filter(({ name }) => !known.has(name));
    this.#run += 1;
    this.#lines = [...this.#lines, ...further.map((strategy) => ({ strategy, result: null }))];
    await this.#compareAll(this.#run);
  }

  /** Keeps existing results. */
  stop(): void {
    this.written.stop();
    if (!this.isRunning) return;
    this.#run += 1;
    this.#lines = this.#lines.map((line) => (isSettled(line.result) ? line : { ...line, result: null }));
    this.phase = 'stopped';
    this.readCosts();
  }

  /** Reads the cost of the chosen model. Call when another one is chosen. */
  readCosts(): void {
    if (this.isRunning) return;
    const compared = this.#lines.filter(({ result }) => result?.kind === 'ready');
    void this.written.readCosts(compared.map(({ strategy }) => strategy.name));
  }

  reset(): void {
    this.#run += 1;
    this.#lines = [];
    this.beside.reset();
    this.written.reset();
    this.phase = 'idle';
  }

  sortBy = (column: ComparisonColumn): void => {
    this.sort = nextSort(this.sort, column);
  };

  async #compareAll(run: number): Promise<void> {
    this.phase = 'running';
    for (const { strategy, result } of this.#lines) {
      if (isSettled(result)) continue;
      await this.#compare(strategy.name, run);
      if (run !== this.#run) return;
    }
    this.phase = 'done';
    this.readCosts();
  }

  async #compare(strategy: string, run: number): Promise<void> {
    this.#put(strategy, loading);
    const result = await load(this.request('compare-strategy', { strategy }));
    if (run === this.#run) this.#put(strategy, result);
  }

  #put(name: string, result: Loadable<ComparisonRow>): void {
    this.#lines = this.#lines.map((line) => (line.strategy.name === name ? { ...line, result } : line));
  }
}

function sharedFailure(lines: readonly ComparisonLine[]): string | null {
  const reasons = new Set(lines.map(({ result }) => (result?.kind === 'failed' ? result.message : null)));
  const [reason = null] = reasons;
  return lines.length > 1 && reasons.size === 1 ? reason : null;
}

function isSettled(result: Loadable<ComparisonRow> | null): boolean {
  return result !== null && result.kind !== 'loading';
}
