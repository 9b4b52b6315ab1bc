import { entriesBefore } from './before-compaction';
import { commonPrefixLength } from './common-prefix';
import { type ContextMessage, type ContextTokens, type TokenKind, tokenKinds, tokensOf } from './context';
import type { Conversation } from './conversation';
import { contextTokensOf, type Entry, isPossibleUsage } from './entry';
import type { ForkedContext, KnownCalibration, Remainder } from './forked';
import { oncePer } from './once-per';
import { estimatesByLength, type TokenLedger } from './tokens';
import { wholeShares } from './whole-tokens';

/** Minimum counted tokens between two reports to derive a ratio from them. Below that, the difference is noise. */
const minSpan = 2000;

/** A ratio outside of this range is not a property of the tokenizer: the reports are about something else. */
const plausibleCalibration = { least: 0.5, most: 2 };

/**
 * Newer models keep their reasoning in the context, and agents log only its signature, so a context grows by more than
 * the log shows. Over this span of counted tokens, such a ratio is not an accident.
 */
const withHiddenReasoning = { span: 15_000, most: 4 };

/**
 * Upper limit for a report of a request that Strata sent. Everything in such a request is logged, except for what a
 * provider adds, such as tool instructions (`added`, in tokens). A larger report sums up several requests, or is wrong.
 */
const maxReportOfSent = { ratio: 3, added: 1000 };

export interface Calibration extends KnownCalibration {
  readonly newest: Report | null;
}

/**
 * In tokens. System prompts and tools of agents take up to some tens of thousands. A first request with more than this
 * beside its messages continues a conversation that is not in the file.
 */
const mostOfSystem = 80_000;

/** Tokens of a context that are in no entry, by what they are. */
interface Unlogged {
  readonly system: number;
  readonly earlier: number;
  readonly unexplained: number;
}

/** Unlogged tokens beyond the first request's remainder are growth that no record explains. */
function unloggedOf(derived: number, remainder: Remainder | null): Unlogged {
  const first = Math.min(derived, remainder?.tokens ?? derived);
  const [system, earlier] = remainder?.hasEarlier ? [0, first] : [first, 0];
  return { system, earlier, unexplained: derived - first };
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
  const { ratio, derived, newest, remainder } = calibrate(conversation, ledger);
  const unlogged = unloggedOf(derived, remainder);
  const sizes = sizeReader(ledger).read(messages, ratio);
  const { ofMessages, counted, byKind } = sizes;
  const isReported = newest !== null && (newest.isOfSent ? isAbout(newest, sizes) : !changedByStrata);
  const total = derived + Math.round(counted * ratio);
  return {
    total,
    source: isReported ? 'reported' : 'estimated',
    countedSince: isReported ? total - newest.reported : total,
    counted,
    byKind: { ...byKind, ...unlogged, system: byKind.system + unlogged.system },
    ofMessages,
    calibration: ratio,
    derivedSystem: unlogged.system,
  };
}

/**
 * The tokens of each message in the provider's unit. Their sum is the rounded sum of the exact ones. `before`: counted tokens of the
 * messages before these.
 */
export function calibrated(messages: readonly ContextMessage[], ratio: number, before = 0): number[] {
  return wholeShares(
    messages.map(({ tokens }) => tokens),
    ratio,
    before,
  );
}

/**
 * Whether a report of a request that Strata sent is about exactly these messages: nothing was compacted, undone or
 * pinned since.
 */
function isAbout({ entryId, counted }: Report, { messages, counted: all }: Sizes): boolean {
  const at = messages.findLastIndex(({ key }) => key === entryId);
  return at !== -1 && all - tokensOf(messages.slice(at + 1)) === counted;
}

/** The sizes of messages. */
interface Sizes {
  readonly messages: readonly ContextMessage[];
  readonly ratio: number;
  readonly ofMessages: readonly number[];
  readonly counted: number;
  readonly byKind: Readonly<Record<TokenKind, number>>;
}

const noSizes: Omit<Sizes, 'ratio'> = {
  messages: [],
  ofMessages: [],
  counted: 0,
  byKind: Object.fromEntries(tokenKinds.map((kind) => [kind, 0])) as Record<TokenKind, number>,
};

/** Adds up the messages of a growing context. Those of the last call are added again only if the ratio has changed. */
class SizeReader {
  #known: Sizes = { ...noSizes, ratio: 1 };

  read(messages: readonly ContextMessage[], ratio: number): Sizes {
    const { length } = this.#known.messages;
    const isLonger = this.#known.ratio === ratio && commonPrefixLength(this.#known.messages, messages) === length;
    this.#known = withSizesOf(messages, isLonger ? this.#known : { ...noSizes, ratio });
    return this.#known;
  }
}

/** `before`: the sizes of the first of these messages. */
function withSizesOf(messages: readonly ContextMessage[], before: Sizes): Sizes {
  const added = messages.slice(before.messages.length);
  const shares = calibrated(added, before.ratio, before.counted);
  const byKind = { ...before.byKind };
  for (const [index, { kind }] of added.entries()) byKind[kind] += shares[index] ?? 0;
  const counted = before.counted + tokensOf(added);
  return { messages, ratio: before.ratio, ofMessages: before.ofMessages.concat(shares), counted, byKind };
}

const sizeReader = oncePer((_ledger: TokenLedger) => new SizeReader());

export interface Report {
  readonly reported: number;
  /** Counted tokens of the context that the report is about, the reply included. */
  readonly counted: number;
  readonly entryId: string;
  /** About a request that Strata sent, not about the agent's own context. */
  readonly isOfSent: boolean;
}

/** How tokens of a conversation's contexts are made from counted ones. */
export function calibrate(conversation: Conversation, ledger: TokenLedger): Calibration {
  const remainder = firstRemainder(conversation, ledger);
  const own = calibrationBy(reportsOf(conversation, ledger), conversation, remainder);
  return own.newest === null ? withoutReport(conversation, remainder) : own;
}

/** The calibration of the present context as long as no report is about it. */
export function withoutReport(conversation: Conversation, remainder: Remainder | null): Calibration {
  const { fork } = conversation;
  return fork === undefined ? beforeFirstReport(conversation, remainder) : { ...fork.calibration, newest: null };
}

/**
 * The calibration between a compaction by the agent and its next report. The agent keeps sending what it does not log,
 * such as its system prompt and tools: as much as with the session's first report, when hardly anything else was there.
 */
function beforeFirstReport({ agentContext, agentCompactions }: Conversation, first: Remainder | null): Calibration {
  const isKnown = first !== null && agentCompactions.length > 0 && !hasSystem(agentContext);
  const remainder = isKnown && !isSummarised(agentCompactions, first) ? first : null;
  return { ratio: 1, derived: remainder?.tokens ?? 0, newest: null, remainder };
}

/** Whether a summary of the agent took in the messages that are not in the file. */
function isSummarised(compactions: Conversation['agentCompactions'], { hasEarlier }: Remainder): boolean {
  return hasEarlier && compactions.some(({ kind }) => kind === 'summary');
}

/** Null if no report is about the agent's own context. */
export function firstRemainder(conversation: Conversation, ledger: TokenLedger): Remainder | null {
  if (hasUnreliableReports(conversation, ledger)) return null;
  const report = firstReportReader(ledger).read(conversation.entries);
  if (report === null || report.isOfSent) return null;
  const tokens = Math.max(0, report.reported - report.counted);
  return { tokens, hasEarlier: conversation.beginsMidway === true || tokens > mostOfSystem };
}

/**
 * Finds the first usage report of a session. Entries that were searched are not searched again as the session grows.
 */
class FirstReportReader {
  readonly #estimates = estimatesByLength();
  #entries: readonly Entry[] = [];
  /** Number of entries searched so far. */
  #read = 0;
  #counted = 0;
  #report: Report | null = null;

  constructor(private readonly ledger: TokenLedger) {}

  read(entries: readonly Entry[]): Report | null {
    if (commonPrefixLength(this.#entries, entries) < this.#read) {
      this.#read = 0;
      this.#counted = 0;
      this.#report = null;
    }
    for (let entry = entries[this.#read]; entry !== undefined && this.#report === null; entry = entries[this.#read]) {
      // Entries that left the context may never have been counted.
      this.#counted += (this.ledger.hasEntry(entry) ? this.ledger : this.#estimates).ofEntry(entry);
      this.#report = reportIn(entry, this.#counted);
      this.#read += 1;
    }
    this.#entries = entries;
    return this.#report;
  }
}

const firstReportReader = oncePer((ledger: TokenLedger) => new FirstReportReader(ledger));

function hasSystem(entries: readonly Entry[]): boolean {
  return entries.some(({ role }) => role === 'system');
}

/**
 * The calibration from reports about one growing context, oldest first.
 * @param first of the session; a summary of the agent may have taken in what it has beside the system prompt
 */
export function calibrationBy(
  reports: readonly Report[],
  { agentContext, agentCompactions, beginsMidway }: Conversation,
  first: Remainder | null,
): Calibration {
  const oldest = reports[0];
  const last = reports.at(-1);
  if (!last || !oldest) return { ratio: 1, derived: 0, newest: null, remainder: null };
  const remainder =
    first !== null && isSummarised(agentCompactions, first)
      ? { tokens: Math.max(0, oldest.reported - oldest.counted), hasEarlier: false }
      : first;
  const systemIsKnown = last.isOfSent || (hasSystem(agentContext) && !beginsMidway);
  const line = systemIsKnown ? ratioAlone(last) : lineBeside(remainder, oldest, last);
  return { ...line, newest: last, remainder };
}

/**
 * The line through the reports that leaves the session's first remainder as it is, so that the size of the system prompt is
 * constant. Where the context grew by more than its messages explain, the line through the oldest and the newest report.
 */
function lineBeside(remainder: Remainder | null, oldest: Report, last: Report) {
  const line = lineThrough(oldest, last);
  if (remainder === null || line.derived - remainder.tokens >= minSpan) return line;
  const span = last.counted - oldest.counted;
  const ratio = (last.reported - remainder.tokens) / last.counted;
  const isKnown = span >= minSpan || line.derived < remainder.tokens;
  return isKnown && isRatio(ratio, span) ? { ratio, derived: remainder.tokens } : line;
}

function isRatio(ratio: number, span: number): boolean {
  const most = span >= withHiddenReasoning.span ? withHiddenReasoning.most : plausibleCalibration.most;
  return ratio >= plausibleCalibration.least && ratio <= most;
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
  const ratio = isRatio(slope, span) ? slope : 1;
  const derived = last.reported - Math.round(ratio * last.counted);
  return derived >= 0 ? { ratio, derived } : ratioAlone(last);
}

/** The reports that are about the agent's present context: those since its newest compaction. */
function reportsOf(conversation: Conversation, ledger: TokenLedger): Report[] {
  if (hasUnreliableReports(conversation, ledger)) return [];
  const newest = conversation.agentCompactions.at(-1);
  const before = newest ? entriesBefore(newest, conversation) : null;
  const reports = reportReader(ledger).read(conversation.agentContext);
  const since = reports.filter(({ entryId }) => !before?.has(entryId));
  return conversation.fork === undefined ? since : sinceFork(since, conversation.fork, conversation);
}

/** A fork may keep replies of the original, whose reports are about the context before. */
function sinceFork(reports: readonly Report[], { entryCount }: ForkedContext, { entries }: Conversation): Report[] {
  const added = new Set(entries.slice(entryCount).map(({ id }) => id));
  return reports.filter(({ entryId }) => added.has(entryId));
}

/**
 * If the newest report of a server is impossible, its earlier reports are not trusted either: accumulating sums look
 * plausible at first.
 */
function hasUnreliableReports({ agentContext }: Conversation, ledger: TokenLedger): boolean {
  const newest = newestReportReader(ledger).read(agentContext);
  return newest?.countedTokens !== undefined && exceedsSent(reportOf(newest), newest.countedTokens);
}

/** Finds the newest entry with a report. Of a context that has grown, only the new entries are searched. */
class NewestReportReader {
  #context: readonly Entry[] = [];
  /** Index of the entry; -1: none. */
  #at = -1;

  read(context: readonly Entry[]): Entry | undefined {
    const same = commonPrefixLength(this.#context, context);
    const [known, searched] = this.#at < same ? [this.#at, same] : [-1, 0];
    let at = context.length - 1;
    while (at >= searched && context[at]?.usage === undefined) at -= 1;
    this.#at = at < searched ? known : at;
    this.#context = context;
    return context[this.#at];
  }
}

const newestReportReader = oncePer((_ledger: TokenLedger) => new NewestReportReader());

/** Reads the reports of a growing context. Entries that are the same as in the last call are not counted again. */
class ReportReader {
  #entries: readonly Entry[] = [];
  /** Running total of tokens, by entry. */
  readonly #counted: number[] = [];
  /** Running total of reports, by entry. */
  readonly #reported: number[] = [];
  readonly #reports: Report[] = [];

  constructor(private readonly ledger: TokenLedger) {}

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

const reportReader = oncePer((ledger: TokenLedger) => new ReportReader(ledger));

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

/** Some servers report only the uncached tokens, or wrong numbers. Those are not sizes of a context. */
function isPlausible(reported: number, counted: number): boolean {
  return Number.isSafeInteger(reported) && reported >= counted * plausibleCalibration.least;
}

/** 0 without a report, infinite where no window holds it. */
function reportOf({ usage }: Pick<Entry, 'usage'>): number {
  if (usage === undefined) return 0;
  return isPossibleUsage(usage) ? contextTokensOf(usage) : Number.POSITIVE_INFINITY;
}
