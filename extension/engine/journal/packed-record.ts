import type { LossReport } from '../block/loss';
import type { CompactionRecord, EditRecord, JournalRecord } from './records';

/*
 * Since version 5 a journal stores the sources of a block compactly: an entry by its number, and a text that the block contains by its
 * position there. Loss reports that earlier versions wrote are not read.
 */

/** A journal begun with an earlier version keeps its format. */
const packedSince = 5;

/** A text, or its position in the text of the block (start and length). */
type PackedText = string | readonly [start: number, length: number];

/** Below this length, a text takes less space than its position. */
const leastReferred = 12;

type Block = CompactionRecord | EditRecord;
type Spans = CompactionRecord['spans'];

/** The form in which a record is written in a journal of this version. Only records of blocks are packed. */
export function packedRecord(record: JournalRecord, version: number): unknown {
  if (record.kind !== 'compaction' && record.kind !== 'edit') return record;
  const written = { ...record, loss: writtenLoss(record.loss) };
  return version < packedSince ? written : packedBlock(record, written);
}

/** Earlier versions of Strata treat a record without these two lists as damaged. */
function writtenLoss(loss: LossReport | null): object {
  return { kept: [], lost: [], ...loss };
}

/** Earlier versions wrote a report of names and sentences, which is not read. */
function readLoss(loss: unknown): unknown {
  if (!isFields(loss) || !('messages' in loss)) return null;
  const { messages, files, open, outputs } = loss;
  return { messages, files, open, outputs };
}

function packedBlock(record: Block, written: object): unknown {
  const known = record.kind === 'compaction' ? record.entryIds : [];
  const numbers = new Map(known.map((id, index) => [id, index]));
  if (numbers.size < known.length) return record;
  const numberOf = (id: string): number => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
  const spans = spansOf(record)?.map((span) => [span.section, inBlock(record, span.text), numberOf(span.entryId)]);
  const others = [...numbers.keys()].slice(known.length);
  return { ...withSpans(written, spans), ...(others.length === 0 ? {} : { otherEntryIds: others }) };
}

function inBlock({ text: block }: Block, text: string): PackedText {
  if (text.length < leastReferred) return text;
  const start = block.indexOf(text);
  return start === -1 ? text : [start, text.length];
}

/** An edit has its spans in `writing`. */
function spansOf(record: Block): Spans | undefined {
  return record.kind === 'compaction' ? record.spans : record.writing?.spans;
}

function withSpans(record: object, spans: unknown): object {
  if (spans === undefined) return record;
  return 'writing' in record ? { ...record, writing: { ...(record.writing as object), spans } } : { ...record, spans };
}

type Fields = Readonly<Record<string, unknown>>;

/** Reverses `packedRecord`. A value of the wrong kind becomes undefined, which the record's validation reports. */
export function unpackedRecord(value: unknown): unknown {
  if (!isFields(value)) return value;
  if (value.kind === 'prepared' && Array.isArray(value.records))
    return {
      ...value,
      records: value.records.map((one) => (isFields(one) ? { ...one, loss: readLoss(one.loss) } : one)),
    };
  if (value.kind !== 'compaction' && value.kind !== 'edit') return value;
  const { otherEntryIds = [], ...record } = value.kind === 'compaction' ? withRun(value) : value;
  const ids = [...listOf(record.entryIds), ...listOf(otherEntryIds)];
  const block = typeof record.text === 'string' ? record.text : '';
  const span = (one: unknown) => {
    if (!Array.isArray(one)) return one;
    const [section, text, entry] = one;
    return { section, text: textAt(text, block), entryId: ids[entry] };
  };
  const { spans, writing } = record;
  return {
    ...record,
    loss: readLoss(value.loss),
    ...(Array.isArray(spans) ? { spans: spans.map(span) } : {}),
    ...(isFields(writing) && Array.isArray(writing.spans)
      ? { writing: { ...writing, spans: writing.spans.map(span) } }
      : {}),
  };
}

/** A block that names no run is a run of its own. */
function withRun(block: Fields): Fields {
  return 'run' in block ? block : { ...block, run: block.seq, runLength: 1 };
}

function textAt(text: unknown, block: string): unknown {
  if (!Array.isArray(text)) return text;
  const [start, length] = text;
  const isInside = Number.isSafeInteger(start) && start >= 0 && length > 0 && start + length <= block.length;
  return isInside ? block.slice(start, start + length) : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// biome-ignore lint/suspicious/noExplicitAny: whatever is in it is checked afterwards
function listOf(value: unknown): any[] {
  return Array.isArray(value) ? value : [];
}
