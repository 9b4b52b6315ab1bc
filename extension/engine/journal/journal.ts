import { costOfOne, type LongWork } from '../conversation/long-work';
import { portableSha256, type TextHash } from '../conversation/sha256';
import { type LocalizableText, localizable } from '../wording/localizable-text';
import { checkedLine, isMeantAsHeader, isTorn, readCheckedLine } from './checked-line';
import type { JournalState } from './journal-state';
import { packedRecord, unpackedRecord } from './packed-record';
import { type CheckedRecord, checkedRecord } from './record-schemas';
import { type JournalRecord, journalVersion, type SessionIdentity } from './records';

/** The lines of records that follow this state, without line breaks. A new journal states its version first. */
export function* encodedRecords(
  records: readonly JournalRecord[],
  { version }: Pick<JournalState, 'version'>,
): Generator<string> {
  let current = version;
  for (const record of records) {
    if (record.kind === 'header' || record.kind === 'version') current = record.version;
    yield checkedLine(JSON.stringify(packedRecord(record, current)));
  }
}

export type DecodedLine =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'damaged'; readonly reason: LocalizableText }
  /** `hidesRest`: the lines after this one cannot be used either. */
  | { readonly kind: 'newer'; readonly reason: LocalizableText; readonly hidesRest?: true };

export function decodeLine(line: string, hash: TextHash = portableSha256): DecodedLine {
  const checked = readCheckedLine(line, hash);
  switch (checked.kind) {
    case 'no-record':
      return { kind: 'damaged', reason: localizable('it is not a journal record') };
    case 'damaged':
      return { kind: 'damaged', reason: localizable('its checksum does not match') };
    case 'intact':
      return decodedRecord(checkedRecord(unpackedRecord(parsed(checked.body))));
  }
}

function decodedRecord(checked: CheckedRecord): DecodedLine {
  switch (checked.kind) {
    case 'record':
      return ofNewerVersion(checked.record) ?? checked;
    case 'none':
      return { kind: 'damaged', reason: localizable('it is not a journal record') };
    case 'wrong':
      return { kind: 'damaged', reason: localizable('its field "{0}" has a value of the wrong kind', checked.field) };
    case 'unknown':
      return {
        kind: 'newer',
        reason: localizable('it is a record of kind "{0}", which this version of Strata does not know', checked.name),
      };
  }
}

/** After such a record, later records may have another meaning for this version. */
function ofNewerVersion(record: JournalRecord): DecodedLine | null {
  if (record.kind !== 'version' || record.version <= journalVersion) return null;
  const reason = localizable(
    'from here on it has version {0}, and this one supports {1}',
    record.version,
    journalVersion,
  );
  return { kind: 'newer', reason, hidesRest: true };
}

/** Null if it is not JSON; the caller reports the line. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** A part of a journal that could not be used, with its line; 0 for the whole journal. */
interface JournalIssue {
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
 * issue, the header included: each record has a checksum of its own, and the next one is written after a new header.
 * A journal that a newer version continued is read up to that point and never written to.
 * @param decode may return the decoded record of an equal line
 */
export function* readingJournal(
  lines: readonly string[],
  session: SessionIdentity,
  decode: (line: string) => DecodedLine = decodeLine,
): LongWork<ReadJournal> {
  const records: { record: JournalRecord; line: number }[] = [];
  const issues: JournalIssue[] = [];
  let readOnlyBecause: LocalizableText | null = null;
  let intactLines = lines.length;
  let newestDamaged = 0;
  let isFirstDamaged = false;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const decoded = decode(line.replace(/\r?\n$/, ''));
    yield line.length + costOfOne;
    if (decoded.kind !== 'record' && isTorn(line)) {
      intactLines = index;
      issues.push({
        line: number,
        message: localizable('The last record of the journal is incomplete and was left out.'),
      });
    } else if (decoded.kind === 'record') {
      records.push({ record: decoded.record, line: number });
    } else {
      issues.push({ line: number, message: localizable('This journal line cannot be used: {0}.', decoded.reason) });
      if (decoded.kind === 'damaged') {
        newestDamaged = number;
        isFirstDamaged ||= number === 1;
      } else {
        readOnlyBecause = localizable('The journal is from a newer Strata: {0}.', decoded.reason);
        if (decoded.hidesRest) break;
      }
    }
  }
  const isUnusable = issues.length > lines.length - intactLines;
  const isHeaderLost = isFirstDamaged && (records.length > 0 || isMeantAsHeader(lines[0] ?? ''));
  if (isHeaderLost) issues.unshift({ line: 1, message: headerLost });
  const foreign = foreignReason(
    records.map(({ record }) => record),
    { isUnusable, isHeaderLost },
    session,
  );
  if (foreign !== null) {
    return {
      records: [],
      issues: [...issues, { line: 1, message: foreign }],
      readOnlyBecause: readOnlyBecause ?? foreign,
      intactLines: lines.length,
    };
  }
  const unfinished = unfinishedRun(records.map(({ record }) => record));
  const first = records.at(-unfinished)?.line ?? 0;
  // The damaged record's run was once complete: its other blocks stay, as they do in the middle of a journal.
  if (unfinished > 0 && readOnlyBecause === null && newestDamaged < first) {
    records.splice(-unfinished);
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

const headerLost = localizable(
  'The header of the journal is damaged. Its records are used, and the next one is written after a new header.',
);

interface Faults {
  /** There are lines, and none of them is a record. */
  readonly isUnusable: boolean;
  readonly isHeaderLost: boolean;
}

function foreignReason(
  records: readonly JournalRecord[],
  { isUnusable, isHeaderLost }: Faults,
  session: SessionIdentity,
): LocalizableText | null {
  const [first] = records;
  // A new header may have been written after this line.
  const header = isHeaderLost ? records.find(({ kind }) => kind === 'header') : first;
  if (header === undefined) {
    if (isHeaderLost || !isUnusable) return null;
    return localizable('This file is not a journal of Strata, so nothing is written to it.');
  }
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
