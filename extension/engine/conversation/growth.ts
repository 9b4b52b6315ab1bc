import { type Calibration, calibrationBy, type Report, reportIn } from './accounting';
import type { Branch, BranchEntry } from './branch';
import type { AgentCompaction, Conversation } from './conversation';
import { estimatesByLength, type TokenLedger, tokensPerMessage } from './tokens';

/** How large the agent's context was after one entry of its branch. */
export interface GrowthStep {
  /** As the provider counts them: reported where a reply tells, else counted and calibrated. */
  readonly tokens: number;
  /** Reported tokens per counted token at that time. */
  readonly ratio: number;
  /** Counted tokens of the entry itself, as it stood when it came. */
  readonly size: number;
  /** The agent's own compactions at this place. */
  readonly drop: Drop | null;
}

export interface Drop {
  readonly compactions: readonly AgentCompaction[];
  /** Tokens of the context before them. */
  readonly before: number;
  /** Counted tokens that were taken from entries which stay in their places, by id. */
  readonly cleared: ReadonlyMap<string, number>;
}

/**
 * The size of the agent's context after each entry of the branch it is on, as if Strata were not there: one step for
 * each entry of the branch. Time linear in the entries.
 */
export function growth(conversation: Conversation, branch: Branch, ledger: TokenLedger): GrowthStep[] {
  const counts = new Counter(branch, ledger).count();
  const calibrations = calibrationsOf(counts, conversation);
  let epoch = 0;
  let anchor: Report | null = null;
  return counts.map(({ counted, size, drop, report }) => {
    // What Strata sent was smaller than what the agent would have sent: such a report gives the ratio alone.
    if (report && !report.isOfSent) anchor = report;
    const before = drop ? { ...drop, before: sizeOf(drop.counted, calibrations[epoch], anchor) } : null;
    if (before) {
      epoch += 1;
      anchor = null;
    }
    const calibration = calibrations[epoch];
    return { tokens: sizeOf(counted, calibration, anchor), ratio: calibration?.ratio ?? 1, size, drop: before };
  });
}

/** From the newest report on, or else from the beginning. */
function sizeOf(counted: number, { ratio, derived } = uncalibrated, anchor: Report | null): number {
  const tokens = anchor ? anchor.reported + ratio * (counted - anchor.counted) : derived + ratio * counted;
  return Math.max(0, tokens);
}

const uncalibrated: Calibration = { ratio: 1, derived: 0, newest: null };

/** One for each stretch between two compactions, from its own reports; one without reports takes that of a neighbour. */
function calibrationsOf(counts: readonly StepCount[], conversation: Conversation): Calibration[] {
  const reports: Report[][] = [[]];
  for (const { report, drop } of counts) {
    if (report) reports.at(-1)?.push(report);
    if (drop) reports.push([]);
  }
  const own = reports.map((of) => calibrationBy(of, conversation));
  return own.map((calibration, epoch) => {
    // The context as it is now is measured by what is reported of it alone, here as on the gauge.
    if (calibration.newest || epoch === own.length - 1) return calibration;
    const isKnown = ({ newest }: Calibration) => newest !== null;
    return own.slice(0, epoch).findLast(isKnown) ?? own.slice(epoch).find(isKnown) ?? calibration;
  });
}

interface StepCount {
  /** Counted tokens after this entry, and after the compactions at its place. */
  readonly counted: number;
  readonly size: number;
  readonly drop: (Omit<Drop, 'before'> & { readonly counted: number }) | null;
  readonly report: Report | null;
}

/** Counts what the agent's context holds, entry by entry. */
class Counter {
  readonly #sizes = new Map<string, number>();
  readonly #compactionsAt = new Map<number, readonly AgentCompaction[]>();
  /** Entries that a compaction emptied: until then they stood there as they were said. */
  readonly #emptied: ReadonlySet<string>;
  readonly #estimates = estimatesByLength();
  #counted = 0;

  constructor(
    readonly branch: Branch,
    readonly ledger: TokenLedger,
  ) {
    this.#emptied = new Set(
      branch.compactions.flatMap(({ compaction }) =>
        compaction.kind === 'cleared' ? compaction.replacedEntryIds : [],
      ),
    );
    for (const { step, compaction } of branch.compactions) {
      this.#compactionsAt.set(step, [...(this.#compactionsAt.get(step) ?? []), compaction]);
    }
  }

  count(): StepCount[] {
    return this.branch.entries.map((entry, step) => this.#countStep(entry, this.#compactionsAt.get(step) ?? []));
  }

  #countStep(place: BranchEntry, compactions: readonly AgentCompaction[]): StepCount {
    const { id } = place.entry;
    const before = this.#counted;
    const size = this.#sizeAtFirst(place);
    this.#resize(id, size);
    if (compactions.length === 0) {
      return { counted: this.#counted, size, drop: null, report: reportIn(place.entry, this.#counted) };
    }
    const isSummary = compactions.some(({ summaryEntryId }) => summaryEntryId === id);
    const counted = isSummary ? before : this.#counted;
    const report = isSummary ? null : reportIn(place.entry, counted);
    const cleared = new Map(compactions.flatMap((compaction) => this.#carryOut(compaction)));
    return { counted: this.#counted, size, drop: { compactions, counted, cleared }, report };
  }

  /** What is in the context no more may never have been counted; a chart does not wait for that. */
  #sizeAtFirst({ entry, sent }: BranchEntry): number {
    if (sent && !this.#emptied.has(entry.id)) return this.ledger.ofEntry(sent);
    return (this.ledger.knowsEntry(entry) ? this.ledger : this.#estimates).ofEntry(entry);
  }

  /** Returns what was taken from each entry that stays. */
  #carryOut({ kind, replacedEntryIds }: AgentCompaction): [string, number][] {
    if (kind === 'summary') {
      for (const id of replacedEntryIds) this.#resize(id, 0);
      return [];
    }
    return replacedEntryIds.map((id) => {
      const before = this.#sizes.get(id) ?? 0;
      this.#resize(id, Math.min(before, this.#sizeWhenEmptied(id)));
      return [id, before - (this.#sizes.get(id) ?? 0)];
    });
  }

  #sizeWhenEmptied(id: string): number {
    const sent = this.branch.entries[this.branch.stepOf.get(id) ?? -1]?.sent;
    return sent ? this.ledger.ofEntry(sent) : tokensPerMessage;
  }

  #resize(id: string, size: number): void {
    this.#counted += size - (this.#sizes.get(id) ?? 0);
    this.#sizes.set(id, size);
  }
}
