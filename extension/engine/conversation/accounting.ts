import { entriesBefore } from './before-compaction';
import { type ContextKind, type ContextMessage, type ContextTokens, contextKinds } from './context';
import type { Conversation } from './conversation';
import { contextTokensOf, type Entry, type Usage } from './entry';
import { sameFromStart } from './same-start';
import type { TokenLedger } from './tokens';

/** Below this many counted tokens between two reports, their difference is noise and gives no ratio. */
const smallestSpan = 2000;

/** A ratio outside of this is no property of the tokenizer; the reports belong to something else. */
const plausibleCalibration = { least: 0.5, most: 2 };

/**
 * All that Strata sent is written down, but for what a provider adds by itself, such as its instructions for tools; in tokens.
 * A report above that adds up over several requests, or is nonsense.
 */
const mostOfSent = { ratio: 3, added: 1000 };

export interface Calibration {
  /** Reported tokens per counted token. */
  readonly ratio: number;
  /** Tokens that are sent but stand in no entry. */
  readonly derived: number;
  readonly newest: Report | null;
}

/**
 * Sizes of a context. Reports of the agent's replies are the anchor: with `derived` and `ratio` from them, a context
 * costs `derived + ratio x counted`, which gives back the newest report itself as long as nothing was compacted.
 */
export function measure(
  conversation: Conversation,
  messages: readonly ContextMessage[],
  changedByStrata: boolean,
  ledger: TokenLedger,
): ContextTokens {
  const { ratio, derived, newest } = calibrate(conversation, ledger);
  const counted = countByKind(messages);
  const total = Math.round(derived + ratio * sum(counted));
  return {
    total,
    source: newest && (newest.isOfSent ? describes(newest, messages) : !changedByStrata) ? 'reported' : 'estimated',
    byKind: share(total, counted, ratio, derived),
    calibration: ratio,
    derivedSystem: Math.round(derived),
  };
}

/** Whether a report of what Strata sent is of these very messages: nothing was compacted, undone or pinned since. */
function describes({ entryId, counted }: Report, messages: readonly ContextMessage[]): boolean {
  const at = messages.findLastIndex(({ key }) => key === entryId);
  if (at === -1) return false;
  return messages.slice(0, at + 1).reduce((total, { tokens }) => total + tokens, 0) === counted;
}

function countByKind(messages: readonly ContextMessage[]): Record<ContextKind, number> {
  const counted = noTokens();
  for (const message of messages) counted[message.kind] += message.tokens;
  return counted;
}

function noTokens(): Record<ContextKind, number> {
  return Object.fromEntries(contextKinds.map((kind) => [kind, 0])) as Record<ContextKind, number>;
}

/** Rounds each kind and gives what rounding left to the largest, so that the parts add up to the total. */
function share(
  total: number,
  counted: Record<ContextKind, number>,
  ratio: number,
  derived: number,
): Record<ContextKind, number> {
  const shares = noTokens();
  for (const kind of contextKinds) shares[kind] = Math.round(counted[kind] * ratio);
  shares.system += Math.round(derived);
  const largest = contextKinds.reduce((a, b) => (shares[b] > shares[a] ? b : a));
  shares[largest] += total - sum(shares);
  return shares;
}

function sum(tokens: Record<ContextKind, number>): number {
  return contextKinds.reduce((total, kind) => total + tokens[kind], 0);
}

export interface Report {
  readonly reported: number;
  /** Counted tokens of what it is about: the context up to and including the reply. */
  readonly counted: number;
  readonly entryId: string;
  /** Of what Strata sent, not of what the agent would have. */
  readonly isOfSent: boolean;
}

function calibrate(conversation: Conversation, ledger: TokenLedger): Calibration {
  return calibrationBy(reportsOf(conversation, ledger), conversation);
}

/** What reports that describe one context, as it grew, tell of it; oldest first. */
export function calibrationBy(reports: readonly Report[], { agentContext }: Conversation): Calibration {
  const last = reports.at(-1);
  const first = reports[0];
  if (!last || !first) return { ratio: 1, derived: 0, newest: null };
  const systemIsKnown = last.isOfSent || agentContext.some((entry) => entry.role === 'system');
  return { ...(systemIsKnown ? proportional(last) : throughBoth(first, last)), newest: last };
}

/** A report far above what is written down is of something more; one far below has been dropped before. */
function proportional({ reported, counted, isOfSent }: Report) {
  const ratio = reported / counted;
  if (ratio <= (isOfSent ? mostOfSent.ratio : plausibleCalibration.most)) return { ratio, derived: 0 };
  return { ratio: 1, derived: reported - counted };
}

function throughBoth(first: Report, last: Report) {
  const span = last.counted - first.counted;
  const slope = span >= smallestSpan ? (last.reported - first.reported) / span : 1;
  const ratio = slope >= plausibleCalibration.least && slope <= plausibleCalibration.most ? slope : 1;
  const derived = last.reported - ratio * last.counted;
  return derived >= 0 ? { ratio, derived } : proportional(last);
}

/** The reports that describe the agent's present context: those given after its newest compaction. */
function reportsOf(conversation: Conversation, ledger: TokenLedger): Report[] {
  if (isDoubtful(conversation)) return [];
  const newest = conversation.agentCompactions.at(-1);
  const before = newest ? entriesBefore(newest, conversation) : null;
  const reports = ReportReader.of(ledger).read(conversation.agentContext);
  return before ? reports.filter(({ entryId }) => !before.has(entryId)) : reports;
}

/** Of a server that reports nonsense, earlier reports are no better: sums look right at first. */
function isDoubtful({ agentContext }: Conversation): boolean {
  const newest = agentContext.findLast((entry) => entry.usage !== undefined);
  return newest?.countedTokens !== undefined && isTooMuchOfSent(reportOf(newest), newest.countedTokens);
}

/** Reads the reports of a context that grows: what stayed the same from the start on is not counted up again. */
class ReportReader {
  static readonly #ofLedger = new WeakMap<TokenLedger, ReportReader>();
  #entries: readonly Entry[] = [];
  /** Tokens up to each entry, itself included. */
  readonly #counted: number[] = [];
  /** How many reports there are up to each entry. */
  readonly #reported: number[] = [];
  readonly #reports: Report[] = [];

  private constructor(private readonly ledger: TokenLedger) {}

  static of(ledger: TokenLedger): ReportReader {
    const known = ReportReader.#ofLedger.get(ledger) ?? new ReportReader(ledger);
    ReportReader.#ofLedger.set(ledger, known);
    return known;
  }

  read(entries: readonly Entry[]): Report[] {
    const same = sameFromStart(this.#entries, entries);
    this.#counted.length = same;
    this.#reported.length = same;
    this.#reports.length = this.#reported.at(-1) ?? 0;
    for (const entry of entries.slice(same)) this.#add(entry);
    this.#entries = entries;
    return this.#reports.slice();
  }

  #add(entry: Entry): void {
    const counted = (this.#counted.at(-1) ?? 0) + this.ledger.ofEntry(entry);
    const report = reportIn(entry, counted);
    if (report) this.#reports.push(report);
    this.#counted.push(counted);
    this.#reported.push(this.#reports.length);
  }
}

/** What a reply reports of the context, given the counted tokens up to it; null where that cannot be. */
export function reportIn(entry: Entry, counted: number): Report | null {
  const about = entry.countedTokens ?? counted;
  const reported = reportOf(entry);
  const isOfSent = entry.countedTokens !== undefined;
  if (!isPlausible(reported, about) || (isOfSent && isTooMuchOfSent(reported, about))) return null;
  return { reported, counted: about, entryId: entry.id, isOfSent };
}

function isTooMuchOfSent(reported: number, counted: number): boolean {
  return reported > counted * mostOfSent.ratio + mostOfSent.added;
}

/** Some servers report only what they did not have in their cache, or nonsense: that is no size of a context. */
function isPlausible(reported: number, counted: number): boolean {
  return Number.isSafeInteger(reported) && reported >= counted * plausibleCalibration.least;
}

function reportOf(entry: Entry): number {
  const usage: Usage | undefined = entry.usage;
  return usage ? contextTokensOf(usage) : 0;
}
