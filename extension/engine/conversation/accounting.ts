import { entriesBefore } from './before-compaction';
import { commonPrefixLength } from './common-prefix';
import { type ContextKind, type ContextMessage, type ContextTokens, contextKinds } from './context';
import type { Conversation } from './conversation';
import { contextTokensOf, type Entry, type Usage } from './entry';
import { estimatesByLength, type TokenLedger } from './tokens';
import { wholeShares } from './whole-tokens';

/** Minimum counted tokens between two reports to derive a ratio from them. Below that, the difference is noise. */
const minSpan = 2000;

/** A ratio outside of this range is no property of the tokenizer: the reports are about something else. */
const plausibleCalibration = { least: 0.5, most: 2 };

/**
 * Newer models keep their reasoning in the context, and agents log only its signature, so that a context grows by more
 * than what is logged. Over this span of counted tokens such a ratio is no accident.
 */
const withHiddenReasoning = { span: 15_000, most: 4 };

/**
 * Upper limit for a report of a request that Strata sent. Everything in such a request is logged, except for what a
 * provider adds, such as tool instructions (`added`, in tokens). A larger report sums up several requests, or is wrong.
 */
const maxReportOfSent = { ratio: 3, added: 1000 };

export interface Calibration {
  /** Reported tokens per counted token. */
  readonly ratio: number;
  /** Tokens that the agent sends but that are in no entry. A whole number. */
  readonly derived: number;
  readonly newest: Report | null;
}

/**
 * Measures a context. The usage reports of the agent's replies give `derived` and `ratio`; a context then takes
 * `derived + ratio × counted`. As long as nothing is compacted, that equals the newest report.
 */
export function measure(
  conversation: Conversation,
  messages: readonly ContextMessage[],
  changedByStrata: boolean,
  ledger: TokenLedger,
): ContextTokens {
  const { ratio, derived, newest } = calibrate(conversation, ledger);
  const ofMessages = calibrated(messages, ratio);
  const isReported = newest !== null && (newest.isOfSent ? isAbout(newest, messages) : !changedByStrata);
  const total = derived + sum(ofMessages);
  return {
    total,
    source: isReported ? 'reported' : 'estimated',
    countedSince: isReported ? total - newest.reported : total,
    byKind: byKind(messages, ofMessages, derived),
    ofMessages,
    calibration: ratio,
    derivedSystem: derived,
  };
}

/** The tokens of each message in the provider's unit. Their sum is the rounded sum of the exact ones. */
export function calibrated(messages: readonly ContextMessage[], ratio: number): number[] {
  return wholeShares(
    messages.map(({ tokens }) => tokens),
    ratio,
  );
}

/**
 * Whether a report of a request that Strata sent is about exactly these messages: nothing was compacted, undone or
 * pinned since.
 */
function isAbout({ entryId, counted }: Report, messages: readonly ContextMessage[]): boolean {
  const at = messages.findLastIndex(({ key }) => key === entryId);
  if (at === -1) return false;
  return messages.slice(0, at + 1).reduce((total, { tokens }) => total + tokens, 0) === counted;
}

function byKind(
  messages: readonly ContextMessage[],
  ofMessages: readonly number[],
  derived: number,
): Record<ContextKind, number> {
  const tokens = Object.fromEntries(contextKinds.map((kind) => [kind, 0])) as Record<ContextKind, number>;
  messages.forEach(({ kind }, index) => {
    tokens[kind] += ofMessages[index] ?? 0;
  });
  tokens.system += derived;
  return tokens;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export interface Report {
  readonly reported: number;
  /** Counted tokens of the context that the report is about, the reply included. */
  readonly counted: number;
  readonly entryId: string;
  /** About a request that Strata sent, not about the agent's own context. */
  readonly isOfSent: boolean;
}

function calibrate(conversation: Conversation, ledger: TokenLedger): Calibration {
  const own = calibrationBy(reportsOf(conversation, ledger), conversation);
  return own.newest === null ? beforeFirstReport(conversation, ledger) : own;
}

/**
 * The calibration between a compaction by the agent and its next report. The agent goes on sending what it does not log,
 * such as its system prompt and tools: as much as with the session's first report, when hardly anything else was there.
 */
export function beforeFirstReport(conversation: Conversation, ledger: TokenLedger): Calibration {
  const { entries, agentContext, agentCompactions } = conversation;
  const none: Calibration = { ratio: 1, derived: 0, newest: null };
  if (agentCompactions.length === 0 || hasUnreliableReports(conversation) || hasSystem(agentContext)) return none;
  const estimates = estimatesByLength();
  let counted = 0;
  for (const entry of entries) {
    // Entries that left the context may never have been counted.
    counted += (ledger.hasEntry(entry) ? ledger : estimates).ofEntry(entry);
    const report = reportIn(entry, counted);
    if (report) return report.isOfSent ? none : { ...none, derived: Math.max(0, report.reported - report.counted) };
  }
  return none;
}

function hasSystem(entries: readonly Entry[]): boolean {
  return entries.some(({ role }) => role === 'system');
}

/** The calibration from reports about one growing context, oldest first. */
export function calibrationBy(reports: readonly Report[], { agentContext }: Conversation): Calibration {
  const last = reports.at(-1);
  const first = reports[0];
  if (!last || !first) return { ratio: 1, derived: 0, newest: null };
  const systemIsKnown = last.isOfSent || hasSystem(agentContext);
  return { ...(systemIsKnown ? ratioAlone(last) : lineThrough(first, last)), newest: last };
}

/** A much larger report includes something that is not logged. A much smaller one was discarded before. */
function ratioAlone({ reported, counted, isOfSent }: Report) {
  const ratio = reported / counted;
  if (ratio <= (isOfSent ? maxReportOfSent.ratio : plausibleCalibration.most)) return { ratio, derived: 0 };
  return { ratio: 1, derived: reported - counted };
}

function lineThrough(first: Report, last: Report) {
  const span = last.counted - first.counted;
  const slope = span >= minSpan ? (last.reported - first.reported) / span : 1;
  const most = span >= withHiddenReasoning.span ? withHiddenReasoning.most : plausibleCalibration.most;
  const ratio = slope >= plausibleCalibration.least && slope <= most ? slope : 1;
  const derived = last.reported - Math.round(ratio * last.counted);
  return derived >= 0 ? { ratio, derived } : ratioAlone(last);
}

/** The reports that are about the agent's present context: those since its newest compaction. */
function reportsOf(conversation: Conversation, ledger: TokenLedger): Report[] {
  if (hasUnreliableReports(conversation)) return [];
  const newest = conversation.agentCompactions.at(-1);
  const before = newest ? entriesBefore(newest, conversation) : null;
  const reports = ReportReader.of(ledger).read(conversation.agentContext);
  return before ? reports.filter(({ entryId }) => !before.has(entryId)) : reports;
}

/**
 * If the newest report of a server is impossible, its earlier reports are not trusted either: accumulating sums look
 * plausible at first.
 */
function hasUnreliableReports({ agentContext }: Conversation): boolean {
  const newest = agentContext.findLast((entry) => entry.usage !== undefined);
  return newest?.countedTokens !== undefined && exceedsSent(reportOf(newest), newest.countedTokens);
}

/** Reads the reports of a growing context. Entries that are the same as in the last call are not counted again. */
class ReportReader {
  static readonly #ofLedger = new WeakMap<TokenLedger, ReportReader>();
  #entries: readonly Entry[] = [];
  /** Running total of tokens, by entry. */
  readonly #counted: number[] = [];
  /** Running total of reports, by entry. */
  readonly #reported: number[] = [];
  readonly #reports: Report[] = [];

  private constructor(private readonly ledger: TokenLedger) {}

  static of(ledger: TokenLedger): ReportReader {
    const known = ReportReader.#ofLedger.get(ledger) ?? new ReportReader(ledger);
    ReportReader.#ofLedger.set(ledger, known);
    return known;
  }

  read(entries: readonly Entry[]): Report[] {
    const same = commonPrefixLength(this.#entries, entries);
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

/** The report of a reply, given the counted tokens up to and including it; null if it is missing or implausible. */
export function reportIn(entry: Entry, counted: number): Report | null {
  const about = entry.countedTokens ?? counted;
  const reported = reportOf(entry);
  const isOfSent = entry.countedTokens !== undefined;
  if (!isPlausible(reported, about) || (isOfSent && exceedsSent(reported, about))) return null;
  return { reported, counted: about, entryId: entry.id, isOfSent };
}

function exceedsSent(reported: number, counted: number): boolean {
  return reported > counted * maxReportOfSent.ratio + maxReportOfSent.added;
}

/** Some servers report only the uncached tokens, or wrong numbers. Those are no size of a context. */
function isPlausible(reported: number, counted: number): boolean {
  return Number.isSafeInteger(reported) && reported >= counted * plausibleCalibration.least;
}

function reportOf(entry: Entry): number {
  const usage: Usage | undefined = entry.usage;
  return usage ? contextTokensOf(usage) : 0;
}
