import type { Branch } from '../conversation/branch';
import type { AgentCompaction } from '../conversation/conversation';
import { groupedBy } from '../conversation/grouped-by';
import { type Drop, type Extent, type GrowthStep, tokensOfExtent } from '../conversation/growth';
import type { TokenLedger } from '../conversation/tokens';
import type { CompactionRecord } from '../journal/records';
import { type PlacedRecord, type PlacedRun, takenBy } from './places';
import { Savings } from './savings';

/** The size of the context at one entry of the branch. A compaction has two points: before and after. */
export interface TimelinePoint {
  readonly step: number;
  readonly tokens: number;
  readonly isMarked: boolean;
}

/** A compaction on the line: one of the agent, or a run of Strata. */
export type TimelineMark = {
  readonly step: number;
  readonly before: number;
  readonly after: number;
} & (
  | { readonly by: 'agent'; readonly compaction: AgentCompaction }
  | { readonly by: 'strata'; readonly run: PlacedRun }
);

interface Timeline {
  readonly points: readonly TimelinePoint[];
  /** Oldest first. */
  readonly marks: readonly TimelineMark[];
}

/** Counted tokens of the core, and the step from which it is in the context. */
export interface CoreShare {
  readonly step: number;
  readonly tokens: number;
}

/**
 * The agent's line, lowered by the savings of Strata's blocks while they are active. An undone run is a mark without a drop.
 * Linear in the steps and in the entries beneath the blocks.
 */
export function timelineOf(
  steps: readonly GrowthStep[],
  branch: Branch,
  runs: readonly PlacedRun[],
  core: CoreShare | null,
  ledger: TokenLedger,
): Timeline {
  const line = new LoweredLine(branch, ledger);
  const runsAt = groupedBy(runs, ({ step }) => step);
  for (const [at, step] of steps.entries()) {
    const here = runsAt.get(at) ?? [];
    const bringsCore = here.some(({ records }) => records.some(({ inContext }) => inContext !== null));
    line.take(at, step);
    if (core?.step === at && bringsCore) line.addCore(core.tokens);
    for (const run of here) line.mark(run);
    if (core?.step === at && !bringsCore) line.addCoreAlone(core.tokens);
  }
  return line;
}

const emptyStep: GrowthStep = { extent: { beside: 0, counted: 0, ratio: 1 }, size: 0, drop: null };

class LoweredLine implements Timeline {
  readonly points: TimelinePoint[] = [];
  readonly marks: TimelineMark[] = [];
  readonly #saved: Savings;
  readonly #endsAt = new Map<number, CompactionRecord[]>();
  #at = 0;
  #step = emptyStep;

  constructor(
    readonly branch: Branch,
    ledger: TokenLedger,
  ) {
    this.#saved = new Savings(branch, ledger);
  }

  take(at: number, step: GrowthStep): void {
    const before = step.drop && this.#lowered(step.drop.before);
    this.#at = at;
    this.#step = step;
    this.#saved.addEntry(at, step.size);
    if (step.drop === null || before === null) this.#push(false);
    else this.#fall(step.drop, before);
  }

  #fall(drop: Drop, before: number): void {
    this.points.push({ step: this.#at, tokens: before, isMarked: true });
    this.#release(drop);
    this.#push(true);
    for (const compaction of drop.compactions) {
      this.marks.push({ by: 'agent', compaction, step: this.#at, before, after: this.#newest });
    }
  }

  /** Part of the change by the next mark. */
  addCore(tokens: number): void {
    this.#saved.core = tokens;
  }

  addCoreAlone(tokens: number): void {
    this.addCore(tokens);
    this.#push(true);
  }

  mark(run: PlacedRun): void {
    const before = this.#newest;
    const placed = run.records.filter(({ inContext }) => inContext !== null);
    for (const record of placed) this.#addBlock(record);
    if (placed.length > 0) this.#push(true);
    else this.#keepNewest();
    this.marks.push({ by: 'strata', run, step: this.#at, before, after: this.#newest });
  }

  #addBlock({ record, inContext }: PlacedRecord): void {
    this.#saved.addBlock(record);
    const until = inContext?.until ?? null;
    if (until !== null) this.#endsAt.set(until, [...(this.#endsAt.get(until) ?? []), record]);
  }

  #release({ compactions, cleared }: Drop): void {
    for (const id of compactions.flatMap(takenBy)) this.#saved.removeEntry(id);
    for (const [id, tokens] of cleared) this.#saved.shrinkEntry(id, tokens);
    for (const record of this.#endsAt.get(this.#at) ?? []) this.#saved.removeBlock(record);
  }

  get #newest(): number {
    return this.points.at(-1)?.tokens ?? 0;
  }

  #keepNewest(): void {
    const newest = this.points.pop();
    if (newest) this.points.push({ ...newest, isMarked: true });
  }

  #push(isMarked: boolean): void {
    this.points.push({ step: this.#at, tokens: this.#lowered(this.#step.extent), isMarked });
  }

  #lowered(extent: Extent): number {
    return tokensOfExtent(extent, this.#saved.total);
  }
}
