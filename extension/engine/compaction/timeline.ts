import type { Branch } from '../conversation/branch';
import type { AgentCompaction } from '../conversation/conversation';
import type { Drop, GrowthStep } from '../conversation/growth';
import { prunedPart } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import type { CompactionRecord } from './journal';
import { type PlacedRecord, type PlacedRun, prunes, takenBy } from './places';

/** A size of the context at one entry of the branch. A compaction has two at its place: before and after. */
export interface TimelinePoint {
  readonly step: number;
  readonly tokens: number;
  readonly isOfMark: boolean;
}

/** One compaction on the line: the agent's, or a run of Strata. */
export type TimelineMark = {
  readonly step: number;
  readonly before: number;
  readonly after: number;
} & (
  | { readonly by: 'agent'; readonly compaction: AgentCompaction }
  | { readonly by: 'strata'; readonly run: PlacedRun }
);

export interface Timeline {
  readonly points: readonly TimelinePoint[];
  /** Oldest first. */
  readonly marks: readonly TimelineMark[];
}

/** Counted tokens of the core, and from which step on it stands. */
export interface CoreShare {
  readonly step: number;
  readonly tokens: number;
}

/**
 * The agent's line, lowered by what the blocks of Strata save for as long as they stand. What is undone is a mark
 * without a drop. Time linear in the steps and in the entries beneath the blocks.
 */
export function timelineOf(
  steps: readonly GrowthStep[],
  branch: Branch,
  runs: readonly PlacedRun[],
  core: CoreShare | null,
  ledger: TokenLedger,
): Timeline {
  const line = new LoweredLine(branch, ledger);
  const runsAt = new Map<number, PlacedRun[]>();
  for (const run of runs) runsAt.set(run.step, [...(runsAt.get(run.step) ?? []), run]);
  for (const [at, step] of steps.entries()) {
    const here = runsAt.get(at) ?? [];
    const bringsCore = here.some(({ records }) => records.some(({ standing }) => standing !== null));
    line.take(at, step);
    if (core?.step === at && bringsCore) line.addCore(core.tokens);
    for (const run of here) line.mark(run);
    if (core?.step === at && !bringsCore) line.addCoreAlone(core.tokens);
  }
  return line;
}

const nothingSaid: GrowthStep = { tokens: 0, ratio: 1, drop: null };

class LoweredLine implements Timeline {
  readonly points: TimelinePoint[] = [];
  readonly marks: TimelineMark[] = [];
  readonly #saved = new Savings();
  readonly #endsAt = new Map<number, CompactionRecord[]>();
  #at = 0;
  #step = nothingSaid;

  constructor(
    readonly branch: Branch,
    readonly ledger: TokenLedger,
  ) {}

  take(at: number, step: GrowthStep): void {
    const before = step.drop && this.#lowered(step.drop.before);
    this.#at = at;
    this.#step = step;
    if (step.drop === null || before === null) this.#push(false);
    else this.#fall(step.drop, before);
  }

  #fall(drop: Drop, before: number): void {
    this.points.push({ step: this.#at, tokens: before, isOfMark: true });
    this.#release(drop);
    this.#push(true);
    for (const compaction of drop.compactions) {
      this.marks.push({ by: 'agent', compaction, step: this.#at, before, after: this.#newest });
    }
  }

  /** Part of what the next mark changes. */
  addCore(tokens: number): void {
    this.#saved.core = tokens;
  }

  addCoreAlone(tokens: number): void {
    this.addCore(tokens);
    this.#push(true);
  }

  mark(run: PlacedRun): void {
    const before = this.#newest;
    const standing = run.records.filter((placed) => placed.standing !== null);
    for (const placed of standing) this.#stand(placed);
    if (standing.length > 0) this.#push(true);
    else this.#keepNewest();
    this.marks.push({ by: 'strata', run, step: this.#at, before, after: this.#newest });
  }

  #stand({ record, standing }: PlacedRecord): void {
    if (prunes(record)) this.#saved.addPruned(record, (id) => this.#savedByPruning(id, record));
    else this.#saved.add(record);
    const until = standing?.until ?? null;
    if (until !== null) this.#endsAt.set(until, [...(this.#endsAt.get(until) ?? []), record]);
  }

  #release({ compactions, cleared }: Drop): void {
    for (const id of compactions.flatMap(takenBy)) this.#saved.unprune(id);
    for (const [id, tokens] of cleared) this.#saved.lessen(id, tokens);
    for (const record of this.#endsAt.get(this.#at) ?? []) this.#saved.end(record);
  }

  /** Nothing for an entry that is not on this branch. */
  #savedByPruning(id: string, { text }: CompactionRecord): number {
    const entry = this.branch.entries[this.branch.stepOf.get(id) ?? -1]?.entry;
    if (!entry) return 0;
    return this.ledger.ofEntry(entry) - this.ledger.ofParts(entry.parts.map((part) => prunedPart(part, text)));
  }

  get #newest(): number {
    return this.points.at(-1)?.tokens ?? 0;
  }

  #keepNewest(): void {
    const newest = this.points.pop();
    if (newest) this.points.push({ ...newest, isOfMark: true });
  }

  #push(isOfMark: boolean): void {
    this.points.push({ step: this.#at, tokens: this.#lowered(this.#step.tokens), isOfMark });
  }

  #lowered(tokens: number): number {
    return Math.max(0, Math.round(tokens - this.#step.ratio * this.#saved.total));
  }
}

/** Counted tokens that blocks save at one moment. */
class Savings {
  /** What the core takes, once it stands. */
  core = 0;
  #sum = 0;
  readonly #bySeq = new Map<number, number>();
  readonly #covering = new Map<string, CompactionRecord>();
  readonly #pruned = new Map<string, number>();

  get total(): number {
    return this.#sum - this.core;
  }

  add(record: CompactionRecord): void {
    this.#change(record, record.tokensBefore - record.tokensAfter);
    for (const id of record.entryIds) this.#covering.set(id, record);
  }

  /** Each result is pruned for itself, and stays so when others are gone. */
  addPruned(record: CompactionRecord, savedBy: (id: string) => number): void {
    for (const id of record.entryIds) {
      const saved = savedBy(id);
      this.#pruned.set(id, saved);
      this.#change(record, saved);
      this.#covering.set(id, record);
    }
  }

  unprune(id: string): void {
    this.#sum -= this.#pruned.get(id) ?? 0;
    this.#pruned.delete(id);
  }

  /** The agent emptied an entry beneath a block: what it saved by that, the block saves no more. */
  lessen(id: string, tokens: number): void {
    const record = this.#covering.get(id);
    if (record) this.#change(record, -tokens);
    const pruned = this.#pruned.get(id);
    if (pruned !== undefined) this.#pruned.set(id, pruned - tokens);
  }

  end(record: CompactionRecord): void {
    this.#change(record, -(this.#bySeq.get(record.seq) ?? 0));
    for (const id of record.entryIds) if (this.#covering.get(id) === record) this.#covering.delete(id);
  }

  #change({ seq }: CompactionRecord, tokens: number): void {
    this.#sum += tokens;
    this.#bySeq.set(seq, (this.#bySeq.get(seq) ?? 0) + tokens);
  }
}
