import { type Artifact, artifactKinds, type KeptMatters } from '../language/loss-report';
import type { CompactionRecord, EditRecord, JournalRecord } from './records';

/*
 * Since version 5 a journal has the reports and the sources of a block in short: an entry as its number, a text that stands in
 * the block as its place there, and an artifact as a list. Nothing is left out or found anew: a report says what was lost when it
 * was made, and a later version of Strata would report otherwise.
 */

/** A journal that began with an earlier version goes on as it began. */
export const packedSince = 5;

/** A text, its place in the text of the block (start and length), or the number of the artifact that has it, kept ones first. */
type PackedText = string | readonly [start: number, length: number] | number;

/** The kind is its place in `artifactKinds`, whose order is part of the format. */
type PackedArtifact = readonly [kind: number, text: PackedText, weight: number, ...entries: number[]];

/** A shorter text takes less room than its place. */
const leastReferred = 12;

type Block = CompactionRecord | EditRecord;
type Spans = CompactionRecord['spans'];

/** What a record is written as. Only those of blocks are packed. */
export function packedRecord(record: JournalRecord): unknown {
  if (record.kind !== 'compaction' && record.kind !== 'edit') return record;
  const known = record.kind === 'compaction' ? record.entryIds : [];
  const numbers = new Map(known.map((id, index) => [id, index]));
  if (numbers.size < known.length) return record;
  const numberOf = (id: string): number => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  };
  const spans = spansOf(record)?.map((span) => [span.section, inBlock(record, span.text), numberOf(span.entryId)]);
  const loss = packedLoss(record, numberOf);
  const others = [...numbers.keys()].slice(known.length);
  return { ...withSpans({ ...record, loss }, spans), ...(others.length === 0 ? {} : { otherEntryIds: others }) };
}

function packedLoss(record: Block, numberOf: (id: string) => number): unknown {
  const { kept, lost, matters } = record.loss;
  const artifact = (text: PackedText, { kind, weight, entryIds }: Artifact): PackedArtifact => {
    return [artifactKinds.indexOf(kind), text, weight, ...entryIds.map(numberOf)];
  };
  const artifacts = new Map([...kept, ...lost].map(({ text }, index) => [text, index]));
  const kind = ({ lost: texts, ...rest }: KeptMatters) => {
    const packed = texts.map(({ text, entryId }) => [artifacts.get(text) ?? text, numberOf(entryId)]);
    return { ...rest, lost: packed };
  };
  return {
    ...record.loss,
    kept: kept.map((one) => artifact(inBlock(record, one.text), one)),
    lost: lost.map((one) => artifact(one.text, one)),
    ...(matters && { matters: { ...matters, kinds: matters.kinds.map(kind) } }),
  };
}

function inBlock({ text: block }: Block, text: string): PackedText {
  if (text.length < leastReferred) return text;
  const start = block.indexOf(text);
  return start === -1 ? text : [start, text.length];
}

/** An edit has them with what wrote its text. */
function spansOf(record: Block): Spans | undefined {
  return record.kind === 'compaction' ? record.spans : record.writing?.spans;
}

function withSpans(record: object, spans: unknown): object {
  if (spans === undefined) return record;
  return 'writing' in record ? { ...record, writing: { ...(record.writing as object), spans } } : { ...record, spans };
}

type Fields = Readonly<Record<string, unknown>>;

/** What `packedRecord` was given. Where a value is of a wrong kind, what it stands for is undefined, as the check of the record finds. */
export function unpackedRecord(value: unknown): unknown {
  if (!isFields(value) || !isFields(value.loss)) return value;
  const { otherEntryIds = [], ...record } = value;
  const ids = [...listOf(record.entryIds), ...listOf(otherEntryIds)];
  const block = typeof record.text === 'string' ? record.text : '';
  const loss = unpackedLoss(value.loss, ids, block);
  const span = (one: unknown) => {
    if (!Array.isArray(one)) return one;
    const [section, text, entry] = one;
    return { section, text: textAt(text, block), entryId: ids[entry] };
  };
  const { spans, writing } = record;
  return {
    ...record,
    ...(Array.isArray(spans) ? { spans: spans.map(span) } : {}),
    loss,
    ...(isFields(writing) && Array.isArray(writing.spans)
      ? { writing: { ...writing, spans: writing.spans.map(span) } }
      : {}),
  };
}

function unpackedLoss(loss: Fields, ids: readonly unknown[], block: string): unknown {
  const artifact = (one: unknown) => {
    if (!Array.isArray(one)) return one;
    const [kind, text, weight, ...entries] = one;
    return {
      kind: artifactKinds[kind],
      text: textAt(text, block),
      entryIds: entries.map((number) => ids[number]),
      weight,
    };
  };
  const artifacts = (all: unknown) => (Array.isArray(all) ? all.map(artifact) : all);
  const [kept, lost] = [artifacts(loss.kept), artifacts(loss.lost)];
  const all = [...listOf(kept), ...listOf(lost)];
  const matter = (one: unknown) => {
    if (!Array.isArray(one)) return one;
    const [text, entry] = one;
    return { text: typeof text === 'number' ? all[text]?.text : text, entryId: ids[entry] };
  };
  const kind = (one: unknown) =>
    isFields(one) && Array.isArray(one.lost) ? { ...one, lost: one.lost.map(matter) } : one;
  const { matters } = loss;
  return {
    ...loss,
    kept,
    lost,
    ...(isFields(matters) && Array.isArray(matters.kinds)
      ? { matters: { ...matters, kinds: matters.kinds.map(kind) } }
      : {}),
  };
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
