import { type Calibration, calibrationBy, firstRemainder, type Report, reportIn, withoutReport } from './accounting';
import type { Branch, BranchEntry, PlacedCompaction } from './branch';
import type { AgentCompaction, Conversation } from './conversation';
import { estimatesByLength, type TokenLedger, tokensPerMessage } from './tokens';

/** The size of a context at one moment, in the provider's tokens: `beside + ratio × counted`. */
export interface Extent {
  /** Whole tokens that are in no entry, or that bring the counted ones to what was reported. */
  readonly beside: number;
  readonly counted: number;
  /** Reported tokens per counted token at that time. */
  readonly ratio: number;
}

/** In whole tokens, without `saved` of the counted ones. */
export function tokensOfExtent({ beside, counted, ratio }: Extent, saved = 0): number {
  return Math.max(0, beside + Math.round(ratio * (counted - saved)));
}

/** The size of the agent's context after one entry of its branch. */
export interface GrowthStep {
  readonly extent: Extent;
  /** Counted tokens of the entry when it was added. */
  readonly size: number;
  /** The agent's own compactions after this entry. */
  readonly drop: Drop | null;
}

export interface Drop {
  readonly compactions: readonly AgentCompaction[];
  /** The context before the compactions. */
  readonly before: Extent;
  /** By entry id, the counted tokens removed from entries that stay in place. */
  readonly cleared: ReadonlyMap<string, number>;
}

/**
 * The size of the agent's context after each entry of its branch, without Strata's compactions. Linear in the number of
 * entries.
 */
export function growth(conversation: Conversation, branch: Branch, ledger: TokenLedger): GrowthStep[] {
  const counts = new Counter(branch, ledger).count();
  const calibrations = calibrationsOf(counts, conversation, ledger);
  let epoch = 0;
  let anchor: Report | null = null;
  return counts.map(({ counted, size, drop, report }) => {
    // A request that Strata sent was smaller than the agent's own: its report only gives the ratio.
    if (report && !report.isOfSent) anchor = report;
    const before = drop ? { ...drop, before: extentOf(drop.counted, calibrations[epoch], anchor) } : null;
    if (before) {
      epoch += 1;
      anchor = null;
    }
    return { extent: extentOf(counted, calibrations[epoch], anchor), size, drop: before };
  });
}

/** Counts from the newest report, or from the beginning if there is none. */
function extentOf(counted: number, { ratio, derived } = uncalibrated, anchor: Report | null): Extent {
  const beside = anchor ? anchor.reported - Math.round(ratio * anchor.counted) : derived;
  return { beside, counted, ratio };
}

const uncalibrated: Calibration = { ratio: 1, derived: 0, newest: null, remainder: null };

/** One calibration for each period between two compactions. A period without reports uses that of the nearest one. */
function calibrationsOf(counts: readonly StepCount[], conversation: Conversation, ledger: TokenLedger): Calibration[] {
  const reports: Report[][] = [[]];
  for (const { report, drop } of counts) {
    if (report) reports.at(-1)?.push(report);
    if (drop) reports.push([]);
  }
  const remainder = firstRemainder(conversation, ledger);
  const own = reports.map((of, epoch) => {
    const compactions = conversation.agentCompactions.slice(0, epoch);
    return calibrationBy(of, { ...conversation, agentCompactions: compactions }, remainder);
  });
  return own.map((calibration, epoch) => {
    if (calibration.newest) return calibration;
    // The present context is measured as in the gauge.
    if (epoch === own.length - 1) return withoutReport(conversation, remainder);
    const isKnown = ({ newest }: Calibration) => newest !== null;
    return own.slice(0, epoch).findLast(isKnown) ?? own.slice(epoch).find(isKnown) ?? calibration;
  });
}

interface StepCount {
  /** Counted tokens after this entry and after the compactions that follow it. */
  readonly counted: number;
  readonly size: number;
  readonly drop: (Omit<Drop, 'before'> & { readonly counted: number }) | null;
  readonly report: Report | null;
}

/** Counts the tokens in the agent's context, entry by entry. */
class Counter {
  readonly #sizes = new Map<string, number>();
  readonly #compactionsAt = new Map<number, readonly AgentCompaction[]>();
  /** Entries that a compaction emptied. Before it, they count with their original content. */
  readonly #emptied: ReadonlySet<string>;
  readonly #estimates = estimatesByLength();
  /** Entries that Strata wrote into a fork, with the step of its compaction: they all count from there on. */
  readonly #written: ReadonlyMap<string, number>;
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
    this.#written = new Map(branch.compactions.flatMap((placed) => writtenIn(placed, branch)));
    for (const { step, compaction } of branch.compactions) {
      this.#compactionsAt.set(step, [...(this.#compactionsAt.get(step) ?? []), compaction]);
    }
  }

  count(): StepCount[] {
    return this.branch.entries.map((entry, step) => this.#countStep(entry, step));
  }

  #countStep(place: BranchEntry, step: number): StepCount {
    const compactions = this.#compactionsAt.get(step) ?? [];
    const { id } = place.entry;
    const before = this.#counted;
    const size = this.#initialSize(place);
    const isWritten = this.#written.has(id);
    if (!isWritten || step >= (this.#written.get(id) ?? 0)) this.#resize(id, size);
    if (compactions.length === 0) {
      // A copy of a reply has the report of the context that it was a reply to.
      const report = isWritten ? null : reportIn(place.entry, this.#counted);
      return { counted: this.#counted, size, drop: null, report };
    }
    const isSummary = compactions.some(({ summaryEntryId }) => summaryEntryId === id);
    const counted = isSummary ? before : this.#counted;
    const report = isSummary || isWritten ? null : reportIn(place.entry, counted);
    const cleared = new Map(compactions.flatMap((compaction) => this.#apply(compaction)));
    return { counted: this.#counted, size, drop: { compactions, counted, cleared }, report };
  }

  /** Entries that left the context may never have been counted. They are estimated, so that a chart does not wait. */
  #initialSize({ entry, sent }: BranchEntry): number {
    if (sent && !this.#emptied.has(entry.id)) return this.ledger.ofEntry(sent);
    return (this.ledger.hasEntry(entry) ? this.ledger : this.#estimates).ofEntry(entry);
  }

  /** Returns the tokens removed from each entry that stays in place. */
  #apply({ kind, replacedEntryIds, byStrata = [] }: AgentCompaction): [string, number][] {
    if (kind === 'summary') {
      for (const id of replacedEntryIds) this.#resize(id, 0);
      // Strata wrote these messages into a fork all at once.
      for (const id of byStrata) {
        const place = this.branch.entries[this.branch.stepOf.get(id) ?? -1];
        if (place) this.#resize(id, this.#initialSize(place));
      }
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

function writtenIn({ compaction, step }: PlacedCompaction, { stepOf }: Branch): [string, number][] {
  const { byStrata = [], replacedEntryIds } = compaction;
  const replaced = replacedEntryIds.reduce((last, id) => Math.max(last, stepOf.get(id) ?? -1), -1);
  return byStrata.filter((id) => (stepOf.get(id) ?? -1) > replaced).map((id) => [id, step]);
}
