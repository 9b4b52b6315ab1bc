import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Memory } from '../block/memory';
import type { Parameters } from '../block/plan';
import type { Span } from '../block/summary';
import { atOnce, costOfOne, type LongWork } from '../conversation/long-work';
import type { CoreItem, CoreItemStatus } from '../core/core';
import type { LossReport } from '../language/loss-report';
import { type LocalizableText, localizable } from '../wording/localizable-text';

/** Increased when an older version of Strata could misread the journal. */
export const journalVersion = 4;

interface RecordBase {
  /** 0 for the header; increases by one with each record. */
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
}

/** The first line: the session that the journal belongs to. */
export interface HeaderRecord extends RecordBase {
  readonly kind: 'header';
  readonly version: number;
  readonly session: SessionIdentity;
}

/** The records from here on need a reader of this version. */
export interface VersionRecord extends RecordBase {
  readonly kind: 'version';
  readonly version: number;
}

export interface SessionIdentity {
  readonly agent: string;
  readonly id: string;
  readonly file: string;
}

/** One block over older entries, with everything that is needed to show, judge and undo it. */
export interface CompactionRecord extends RecordBase {
  readonly kind: 'compaction';
  /** The seq of the first record of the run. A run is undone as a whole. */
  readonly run: number;
  /** Number of records of the run. The journal contains all of them or none. */
  readonly runLength: number;
  readonly strategy: string;
  readonly parameters: Parameters;
  readonly trigger: 'manual' | 'automatic';
  readonly instructions: string | null;
  /** The summarizer, or the strategy that wrote the text itself. */
  readonly summarizer: { readonly name: string; readonly model: string | null };
  /** SHA-256 of the prompt; null without a prompt. */
  readonly promptHash: string | null;
  readonly summaryType: string;
  readonly turnCount: number;
  /** All entries beneath the block, including those beneath swallowed blocks, oldest first. */
  readonly entryIds: readonly string[];
  /** The seqs of the blocks that this one swallowed. */
  readonly swallowed: readonly number[];
  /** Counted tokens of the replaced messages, and of the block. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens used by the summarizer. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
  readonly durationMs: number;
  /** Starts with the tag. */
  readonly text: string;
  /** Texts of single tool results, by the id of their entry. Since version 4. */
  readonly resultTexts?: Readonly<Record<string, string>>;
  readonly spans: readonly Span[];
  readonly loss: LossReport;
  /** At most two sentences for the timeline, independent of the block's text. Absent in journals of version 1. */
  readonly displayLine?: string;
  /** The part of the strategy that made the block, if the strategy makes several kinds. */
  readonly tier?: string;
  /** Absent: `first`. */
  readonly place?: 'first' | 'last';
  /** Only for policies. */
  readonly entriesSummarized?: number;
  /** Artifacts that the summary dropped and that were put back. */
  readonly repaired?: readonly string[];
  /** A person changed the text, before or after it was applied. */
  readonly edited?: true;
  /** Where it took effect at once: the agent itself goes on with it. Absent: in what Strata shows, and in a fork. */
  readonly effect?: 'agent';
  /** The newest entry in the agent's context at that time. */
  readonly newestEntryId?: string;
  /**
   * Tokens of the messages from the first replaced one on, as last sent. A provider's prompt cache of them becomes
   * invalid.
   */
  readonly cacheTokensInvalidated?: number;
  /** Tokens of the whole context before and after the run. */
  readonly contextTokens?: { readonly before: number; readonly after: number };
  /** What a memory strategy remembers of the replaced entries. */
  readonly memory?: Memory;
}

export interface UndoRecord extends RecordBase {
  readonly kind: 'undo';
  readonly compactions: readonly number[];
}

export interface RedoRecord extends RecordBase {
  readonly kind: 'redo';
  readonly compactions: readonly number[];
}

export interface PinRecord extends RecordBase {
  readonly kind: 'pin';
  readonly item: CoreItem;
}

export interface CoreChangeRecord extends RecordBase {
  readonly kind: 'core-change';
  readonly itemId: string;
  readonly status: CoreItemStatus;
}

/** A person reworded a core item. */
export interface CoreEditRecord extends RecordBase {
  readonly kind: 'core-edit';
  readonly itemId: string;
  readonly text: string;
  readonly rationale: string | null;
}

/** A person reordered core items of one kind. */
export interface CoreOrderRecord extends RecordBase {
  readonly kind: 'core-order';
  readonly itemIds: readonly string[];
}

/** A person changed the text of a block. The compaction record stays as it is. */
export interface EditRecord extends RecordBase {
  readonly kind: 'edit';
  /** The seq of the compaction record. */
  readonly compaction: number;
  /** Starts with the tag. */
  readonly text: string;
  readonly tokensAfter: number;
  readonly loss: LossReport;
}

export type JournalRecord =
  | HeaderRecord
  | VersionRecord
  | CompactionRecord
  | EditRecord
  | UndoRecord
  | RedoRecord
  | PinRecord
  | CoreChangeRecord
  | CoreEditRecord
  | CoreOrderRecord;

const knownKinds: ReadonlySet<string> = new Set<JournalRecord['kind']>([
  'header',
  'version',
  'compaction',
  'edit',
  'undo',
  'redo',
  'pin',
  'core-change',
  'core-edit',
  'core-order',
]);

/** One line of a journal, without the line break. The checksum covers the record exactly as written. */
export function encodeRecord(record: JournalRecord): string {
  const body = JSON.stringify(record);
  return `{"checksum":"${checksumOf(body)}","record":${body}}`;
}

const linePattern = /^\{"checksum":"([0-9a-f]{16})","record":(.*)\}$/s;

export type DecodedLine =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'damaged'; readonly reason: LocalizableText }
  | { readonly kind: 'newer'; readonly reason: LocalizableText };

export function decodeLine(line: string): DecodedLine {
  const match = linePattern.exec(line);
  const [, checksum, body] = match ?? [];
  if (checksum === undefined || body === undefined)
    return { kind: 'damaged', reason: localizable('it is not a journal record') };
  if (checksumOf(body) !== checksum) return { kind: 'damaged', reason: localizable('its checksum does not match') };
  const record = parseRecord(body);
  if (record === null) return { kind: 'damaged', reason: localizable('it is not a journal record') };
  if (!knownKinds.has(record.kind)) {
    return {
      kind: 'newer',
      reason: localizable('it is a record of kind "{0}", which this version of Strata does not know', record.kind),
    };
  }
  return { kind: 'record', record };
}

/** A valid checksum shows that Strata wrote the record; required fields are checked nevertheless. */
function parseRecord(body: string): JournalRecord | null {
  let record: Partial<Record<string, unknown>> | null;
  try {
    record = JSON.parse(body);
  } catch {
    // Not JSON. The caller reports it with its line.
    return null;
  }
  if (typeof record !== 'object' || record === null) return null;
  if (typeof record.kind !== 'string' || typeof record.seq !== 'number') return null;
  const isWhole = requiredFields[record.kind]?.every((field) => typeof record[field] === 'object' && record[field]);
  return isWhole === undefined || isWhole ? (record as unknown as JournalRecord) : null;
}

const requiredFields: Readonly<Record<string, readonly string[]>> = {
  header: ['session'],
  compaction: ['entryIds', 'swallowed', 'loss', 'spans', 'summarizer', 'tokensSpent'],
  edit: ['loss'],
  undo: ['compactions'],
  redo: ['compactions'],
  pin: ['item'],
  'core-order': ['itemIds'],
};

function checksumOf(body: string): string {
  return bytesToHex(sha256(utf8ToBytes(body))).slice(0, 16);
}

/** A part of a journal that could not be used, with its line; 0 for the whole journal. */
export interface JournalIssue {
  readonly line: number;
  readonly message: LocalizableText;
}

export interface ReadJournal {
  readonly records: readonly JournalRecord[];
  readonly issues: readonly JournalIssue[];
  /** Why nothing may be appended; null if appending is allowed. */
  readonly readOnlyBecause: LocalizableText | null;
  /**
   * Number of lines to keep. Later lines were left behind by a killed process and are overwritten by the next record.
   */
  readonly intactLines: number;
}

/**
 * Reads the lines of a journal; complete lines include their line break. A torn last line and an incomplete last run
 * are the traces of a killed process and are dropped with a notice. A damaged line before them is skipped with an
 * issue.
 */
export function readJournal(lines: readonly string[], session: SessionIdentity): ReadJournal {
  return atOnce(readingJournal(lines, session));
}

/** @param decode may return what an equal line came to before */
export function* readingJournal(
  lines: readonly string[],
  session: SessionIdentity,
  decode: (line: string) => DecodedLine = decodeLine,
): LongWork<ReadJournal> {
  const records: { record: JournalRecord; line: number }[] = [];
  const issues: JournalIssue[] = [];
  let readOnlyBecause: LocalizableText | null = null;
  let intactLines = lines.length;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const decoded = decode(line.replace(/\r?\n$/, ''));
    yield line.length + costOfOne;
    if (isTornRecord(line)) {
      intactLines = index;
      issues.push({
        line: number,
        message: localizable('The last record of the journal is incomplete and was left out.'),
      });
    } else if (decoded.kind === 'record') {
      records.push({ record: decoded.record, line: number });
    } else {
      issues.push({ line: number, message: localizable('This journal line cannot be used: {0}.', decoded.reason) });
      if (decoded.kind === 'newer')
        readOnlyBecause = localizable('The journal is from a newer Strata: {0}.', decoded.reason);
    }
  }
  const unusable = issues.length > lines.length - intactLines;
  const foreign = foreignReason(records[0]?.record, unusable, session);
  if (foreign !== null) {
    return {
      records: [],
      issues: [...issues, { line: 1, message: foreign }],
      readOnlyBecause: readOnlyBecause ?? foreign,
      intactLines: lines.length,
    };
  }
  const unfinished = unfinishedRun(records.map(({ record }) => record));
  if (unfinished > 0) {
    const first = records.splice(-unfinished)[0]?.line ?? intactLines;
    intactLines = first - 1;
    issues.push({ line: first, message: localizable('The last compaction is incomplete and was left out.') });
  }
  return { records: records.map(({ record }) => record), issues, readOnlyBecause, intactLines };
}

/** The number of records at the end that belong to an incomplete run. */
function unfinishedRun(records: readonly JournalRecord[]): number {
  const last = records.at(-1);
  if (last?.kind !== 'compaction') return 0;
  let count = 0;
  for (let index = records.length - 1; index >= 0; index -= 1) {
    const record = records[index];
    if (record?.kind !== 'compaction' || record.run !== last.run) break;
    count += 1;
  }
  return count < last.runLength ? count : 0;
}

const recordBegins = '{"checksum":"';

/** Only the last line can lack a line break. Bytes that do not begin a record are from another program. */
function isTornRecord(line: string): boolean {
  return !line.endsWith('\n') && (line.startsWith(recordBegins) || recordBegins.startsWith(line));
}

function foreignReason(
  header: JournalRecord | undefined,
  unusable: boolean,
  session: SessionIdentity,
): LocalizableText | null {
  if (!header)
    return unusable ? localizable('This file is not a journal of Strata, so nothing is written to it.') : null;
  if (header.kind !== 'header')
    return localizable('The journal does not begin with a header, so its session is unknown.');
  const { agent, id } = header.session;
  if (agent !== session.agent || id !== session.id)
    return localizable('The journal belongs to another session ({0} {1}).', agent, id);
  if (header.version <= journalVersion) return null;
  return localizable(
    'The journal is from a newer Strata: it has version {0}, this one supports {1}.',
    header.version,
    journalVersion,
  );
}
