import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Memory } from '../block/memory';
import type { Parameters } from '../block/plan';
import type { Span } from '../block/summary';
import type { CoreItem, CoreItemStatus } from '../core/core';
import type { LossReport } from '../language/loss-report';

/** Grows when a reader of today could misread a journal of tomorrow. */
export const journalVersion = 3;

interface RecordBase {
  /** 0 for the header, then one more for each record. */
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
}

/** The first line: whose journal this is. */
export interface HeaderRecord extends RecordBase {
  readonly kind: 'header';
  readonly version: number;
  readonly session: SessionIdentity;
}

/** The journal goes on with records that a reader of an older version would misread, and is told apart from here on. */
export interface VersionRecord extends RecordBase {
  readonly kind: 'version';
  readonly version: number;
}

export interface SessionIdentity {
  readonly agent: string;
  readonly id: string;
  readonly file: string;
}

/** One block that took the place of older entries, with all it takes to show, judge and undo it. */
export interface CompactionRecord extends RecordBase {
  readonly kind: 'compaction';
  /** The seq of the first record of the same run. One press of Compact is one run, and undone as one. */
  readonly run: number;
  /** How many records the run has: it is in the journal as a whole or not at all. */
  readonly runLength: number;
  readonly strategy: string;
  readonly parameters: Parameters;
  readonly trigger: 'manual' | 'automatic';
  readonly instructions: string | null;
  /** What wrote the text: a summarizer, or a strategy that needs none. */
  readonly summarizer: { readonly name: string; readonly model: string | null };
  /** SHA-256 of the prompt; null where the summarizer takes none. */
  readonly promptHash: string | null;
  readonly summaryType: string;
  readonly turnCount: number;
  /** Every entry beneath the block, also those beneath swallowed blocks, oldest first. */
  readonly entryIds: readonly string[];
  /** Blocks that this one swallowed. */
  readonly swallowed: readonly number[];
  /** Counted tokens of what was replaced, and of the block. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What the summarizer used up. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
  readonly durationMs: number;
  /** Begins with the tag. */
  readonly text: string;
  readonly spans: readonly Span[];
  readonly loss: LossReport;
  /** For the timeline, two sentences at most, made apart from the block. Journals of version 1 have none. */
  readonly displayLine?: string;
  /** Which part of the strategy made the block, where it makes several kinds. */
  readonly tier?: string;
  /** Absent: `first`. */
  readonly place?: 'first' | 'last';
  /** Where a policy made it. */
  readonly entriesSummarized?: number;
  /** Artifacts that the summary had dropped and that were put back into its text. */
  readonly repaired?: readonly string[];
  /** A person changed the text, before it was applied or after. */
  readonly edited?: true;
  /** The newest entry that the agent would have sent when this was made. */
  readonly newestEntryId?: string;
  /**
   * Tokens of the messages behind the first replaced one, as the model was last sent them: a provider that had them in
   * its prompt cache has to read them anew.
   */
  readonly cacheTokensInvalidated?: number;
  /** Tokens of the whole context before the run and after it. */
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

/** A person gave an item of the core other words. */
export interface CoreEditRecord extends RecordBase {
  readonly kind: 'core-edit';
  readonly itemId: string;
  readonly text: string;
  readonly rationale: string | null;
}

/** A person put items of the core, all of one kind, into another order. */
export interface CoreOrderRecord extends RecordBase {
  readonly kind: 'core-order';
  readonly itemIds: readonly string[];
}

/** A person gave a block another text. The record that made it stays as it was written. */
export interface EditRecord extends RecordBase {
  readonly kind: 'edit';
  /** The seq of the record that made the block. */
  readonly compaction: number;
  /** Begins with the tag. */
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

/** One line of a journal, without the line break. The checksum covers the record as it is written. */
export function encodeRecord(record: JournalRecord): string {
  const body = JSON.stringify(record);
  return `{"checksum":"${checksumOf(body)}","record":${body}}`;
}

const linePattern = /^\{"checksum":"([0-9a-f]{16})","record":(.*)\}$/s;

export type DecodedLine =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'newer'; readonly reason: string };

export function decodeLine(line: string): DecodedLine {
  const match = linePattern.exec(line);
  const [, checksum, body] = match ?? [];
  if (checksum === undefined || body === undefined) return { kind: 'damaged', reason: 'it is no journal record' };
  if (checksumOf(body) !== checksum) return { kind: 'damaged', reason: 'its checksum does not match' };
  const record = parseRecord(body);
  if (record === null) return { kind: 'damaged', reason: 'it is no journal record' };
  if (!knownKinds.has(record.kind)) {
    return { kind: 'newer', reason: `it holds a record of kind "${record.kind}", which this Strata does not know` };
  }
  return { kind: 'record', record };
}

/** The checksum says that Strata wrote it; what each kind cannot do without is looked for all the same. */
function parseRecord(body: string): JournalRecord | null {
  let record: Partial<Record<string, unknown>> | null;
  try {
    record = JSON.parse(body);
  } catch {
    // Not JSON: the caller says so, with the line.
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

/** Something in a journal that could not be used, by its line; 0 for the journal as a whole. */
export interface JournalIssue {
  readonly line: number;
  readonly message: string;
}

export interface ReadJournal {
  readonly records: readonly JournalRecord[];
  readonly issues: readonly JournalIssue[];
  /** Why nothing may be appended; null where appending is fine. */
  readonly readOnlyBecause: string | null;
  /** How many of the lines to keep: what follows them is what a killed process left, and goes with the next record. */
  readonly soundLines: number;
}

/**
 * Reads the lines of a journal, with the line break kept on each complete one. A torn last line, and a run that is not
 * all there at the end, are what a killed process leaves behind; they are dropped with a notice. A damaged line before
 * that is skipped with an issue.
 */
export function readJournal(lines: readonly string[], session: SessionIdentity): ReadJournal {
  const records: { record: JournalRecord; line: number }[] = [];
  const issues: JournalIssue[] = [];
  let readOnlyBecause: string | null = null;
  let soundLines = lines.length;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const decoded = decodeLine(line.replace(/\r?\n$/, ''));
    if (isTornRecord(line)) {
      soundLines = index;
      issues.push({ line: number, message: 'The last record of the journal is torn and was left out.' });
    } else if (decoded.kind === 'record') {
      records.push({ record: decoded.record, line: number });
    } else {
      issues.push({ line: number, message: `This journal line cannot be used: ${decoded.reason}.` });
      if (decoded.kind === 'newer') readOnlyBecause = `The journal is from a newer Strata: ${decoded.reason}.`;
    }
  }
  const unusable = issues.length > lines.length - soundLines;
  const foreign = foreignReason(records[0]?.record, unusable, session);
  if (foreign !== null) {
    return {
      records: [],
      issues: [...issues, { line: 1, message: foreign }],
      readOnlyBecause: readOnlyBecause ?? foreign,
      soundLines: lines.length,
    };
  }
  const unfinished = unfinishedRun(records.map(({ record }) => record));
  if (unfinished > 0) {
    const first = records.splice(-unfinished)[0]?.line ?? soundLines;
    soundLines = first - 1;
    issues.push({ line: first, message: 'The last compaction was not written to its end and was left out.' });
  }
  return { records: records.map(({ record }) => record), issues, readOnlyBecause, soundLines };
}

/** How many records at the end belong to a run that is not all there. */
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

/** Only the last line can lack its line break. Bytes that are no beginning of a record are somebody else's. */
function isTornRecord(line: string): boolean {
  return !line.endsWith('\n') && (line.startsWith(recordBegins) || recordBegins.startsWith(line));
}

function foreignReason(header: JournalRecord | undefined, unusable: boolean, session: SessionIdentity): string | null {
  if (!header) return unusable ? 'This file is no journal of Strata, so nothing is written to it.' : null;
  if (header.kind !== 'header') return 'The journal does not begin with a header, so whose it is cannot be told.';
  const { agent, id } = header.session;
  if (agent !== session.agent || id !== session.id) return `The journal belongs to another session (${agent} ${id}).`;
  if (header.version <= journalVersion) return null;
  return `The journal is from a newer Strata: it has version ${header.version}, and this one knows ${journalVersion}.`;
}
