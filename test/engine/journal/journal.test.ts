import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeMemories } from '../../../extension/engine/block/memory';
import { decodeLine } from '../../../extension/engine/journal/journal';
import { activeBlocks, foldJournal } from '../../../extension/engine/journal/journal-state';
import { packedRecord } from '../../../extension/engine/journal/packed-record';
import {
  type CompactionRecord,
  type JournalRecord,
  journalVersion,
  type SessionIdentity,
} from '../../../extension/engine/journal/records';
import { lossText } from '../../../extension/engine/run/prepare/loss-text';
import { inEnglish } from '../../builders/in-english';
import { encodeRecord, readJournal } from '../../builders/journal';

const session: SessionIdentity = { agent: 'pi', id: 's1', file: '/sessions/s1.jsonl' };
const header: JournalRecord = { kind: 'header', seq: 0, time: '2026-01-01T00:00:00.000Z', version: 1, session };
const undo: JournalRecord = { kind: 'undo', seq: 1, time: '2026-01-01T00:00:01.000Z', compactions: [3] };
const redo: JournalRecord = { kind: 'redo', seq: 2, time: '2026-01-01T00:00:02.000Z', compactions: [3] };

function compaction(seq: number, run: number, runLength: number): CompactionRecord {
  return {
    kind: 'compaction',
    seq,
    run,
    runLength,
    time: '2026-01-01T00:00:03.000Z',
    strategy: 'tool-calls',
    parameters: { keepTokens: 1, excludeTools: ['read'] },
    trigger: 'manual',
    instructions: null,
    summarizer: { name: 'extractive', model: null },
    promptHash: null,
    summaryType: 'tool_call_batch',
    turnCount: 1,
    entryIds: [`e${seq}`],
    swallowed: [],
    tokensBefore: 2,
    tokensAfter: 1,
    tokensSpent: { input: 0, output: 0 },
    durationMs: 0,
    text: '[SUMMARIZED]',
    resultTexts: { e1: 'cleared' },
    spans: [{ section: null, text: 'x', entryId: 'e1' }],
    loss: {
      messages: { whole: 1, shortened: 0, gone: 1, listed: [{ text: 'Ship it.', entryId: 'e1', fate: 'gone' }] },
      files: { named: 1, unnamed: 1, listed: [{ text: 'a.ts', entryId: 'e1' }] },
      open: { named: 0, unnamed: 0, listed: [] },
      outputs: { count: 1, tokens: 9, largest: [{ text: 'read a.ts', entryId: 'e1', tokens: 9 }] },
    },
    contextTokens: { before: 4, after: 3 },
    memory: { notes: [], observations: [], summaries: [] },
  };
}

const pinned: JournalRecord = {
  kind: 'pin',
  seq: 1,
  time: '2026-01-01T00:00:01.000Z',
  item: { id: 'i', kind: 'goal', text: 'Ship', rationale: null, timestamp: '', entryId: null, status: 'active' },
};

const samples: readonly JournalRecord[] = [
  compaction(1, 1, 1),
  { kind: 'edit', seq: 1, time: '', compaction: 1, text: 'x', tokensAfter: 1, loss: compaction(1, 1, 1).loss },
  undo,
  pinned,
  { kind: 'core-order', seq: 1, time: '', itemIds: ['i'] },
  { kind: 'core-edit', seq: 1, time: '', itemId: 'i', text: 'x', rationale: null },
];

type Path = readonly (string | number)[];

/** The paths to all values in a value, except the kind of a record. */
function pathsOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => name !== 'kind')
    .flatMap(([name, inner]) => [[name], ...pathsOf(inner).map((path) => [name, ...path])]);
}

function withValue(value: unknown, [name, ...rest]: Path, wrong: unknown): unknown {
  if (name === undefined) return wrong;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<string, unknown>)
    : { ...(value as Record<string, unknown>) };
  copy[name] = withValue(copy[name], rest, wrong);
  return copy;
}

/** Uses the records as the panel does. */
function inspectAll(records: readonly JournalRecord[]): void {
  const state = foldJournal(records);
  for (const block of activeBlocks(state)) block.text.trim();
  for (const { record } of state.compactions) {
    if (record.loss !== null) lossText(record.loss);
    for (const { text, entryId } of record.loss?.messages.listed ?? []) text.concat(entryId);
    mergeMemories(record.memory === undefined ? [] : [record.memory]);
  }
  for (const { text } of state.items) text.trim();
}

function lines(...records: JournalRecord[]): string[] {
  return records.map((record) => `${encodeRecord(record)}\n`);
}

function isLineBreak(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x0a;
}

describe('journal', () => {
  it('returns the records that were written', () => {
    expect(readJournal(lines(header, undo, redo), session)).toEqual({
      records: [header, undo, redo],
      issues: [],
      readOnlyBecause: null,
      intactLines: 3,
    });
  });

  it('drops a torn last record with a notice, and keeps all records before it', () => {
    const [first = '', second = '', third = ''] = lines(header, undo, redo);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: third.length - 2 }), (length) => {
        const read = readJournal([first, second, third.slice(0, length)], session);
        expect(read.records).toEqual([header, undo]);
        expect(read.issues.map((issue) => issue.line)).toEqual([3]);
        expect(read.intactLines).toBe(2);
        expect(read.readOnlyBecause).toBeNull();
      }),
    );
  });

  it('detects any changed character of a record', () => {
    const line = encodeRecord(undo);
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(line[at] !== character);
        expect(decodeLine(line.slice(0, at) + character + line.slice(at + 1)).kind).not.toBe('record');
      }),
    );
  });

  it('drops the zero bytes that a loss of power leaves at the end', () => {
    const read = readJournal([...lines(header, undo), '\0'.repeat(4096)], session);
    expect(read.records).toEqual([header, undo]);
    expect(read.issues.map(({ line }) => line)).toEqual([3]);
    expect(read).toMatchObject({ intactLines: 2, readOnlyBecause: null });
  });

  it('loses at most one record to a changed bit, and stays writable', () => {
    const whole = Buffer.from(lines(header, undo, redo, pinned).join(''));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(7), (at, bit) => {
        const bytes = Buffer.from(whole);
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        const read = readJournal(bytes.toString('utf8').split(/(?<=\n)/), session);
        const lost = [undo, redo, pinned].filter((one) => !read.records.some(({ kind }) => kind === one.kind));
        expect(lost.length).toBeLessThanOrEqual(isLineBreak(whole, at) ? 2 : 1);
        expect(read.readOnlyBecause).toBeNull();
        expect(read.intactLines).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 500 },
    );
  });

  it('reports a damaged header and reads the records after it', () => {
    const [first = '', ...others] = lines(header, undo, redo);
    const read = readJournal([first.replace('"pi"', '"pj"'), ...others], session);
    expect(read.records).toEqual([undo, redo]);
    expect(read.readOnlyBecause).toBeNull();
    expect(read.issues.map(inEnglish)).toEqual([
      {
        line: 1,
        message:
          'The header of the journal is damaged. Its records are used, and the next one is written after a new header.',
      },
      { line: 1, message: 'This journal line cannot be used: its checksum does not match.' },
    ]);
  });

  it('takes the session from the header that replaced a damaged one', () => {
    const [first = '', ...others] = lines(header, undo, { ...header, seq: 2 }, { ...redo, seq: 3 });
    const damaged = [first.replace('"pi"', '"pj"'), ...others];
    expect(readJournal(damaged, session).records.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(String(readJournal(damaged, { ...session, id: 's2' }).readOnlyBecause)).toContain('another session');
  });

  it('the journal stays writable if it consists of a damaged header', () => {
    const [first = ''] = lines(header);
    expect(readJournal([first.replace('"pi"', '"pj"')], session)).toMatchObject({ records: [], readOnlyBecause: null });
  });

  it('skips a damaged line in the middle and names it', () => {
    const [first = '', second = '', third = ''] = lines(header, undo, redo);
    const read = readJournal([first, second.replace('undo', 'redo'), third], session);
    expect(read.records).toEqual([header, redo]);
    expect(read.issues.map(inEnglish)).toEqual([
      { line: 2, message: 'This journal line cannot be used: its checksum does not match.' },
    ]);
  });

  it('makes a journal of a newer version read-only', () => {
    const newer = { ...header, version: journalVersion + 1 };
    const read = readJournal(lines(newer), session);
    expect(String(read.readOnlyBecause)).toContain(`version ${journalVersion + 1}`);
    expect(read.records).toEqual([]);
  });

  it('makes a journal with unknown kinds of records read-only', () => {
    const later = { kind: 'teleport', seq: 1, time: '' } as unknown as JournalRecord;
    const read = readJournal(lines(header, later, undo), session);
    expect(read.records).toEqual([header, undo]);
    expect(String(read.readOnlyBecause)).toContain('"teleport"');
  });

  it('reads a journal up to where a newer version continued it, and makes it read-only', () => {
    const newer = { kind: 'version', seq: 2, time: '', version: journalVersion + 1 } as const;
    const read = readJournal(lines(header, undo, newer, { ...redo, seq: 3 }), session);
    expect(read.records).toEqual([header, undo]);
    expect(String(read.readOnlyBecause)).toContain(`version ${journalVersion + 1}`);
    expect(read.issues.map(({ line }) => line)).toEqual([3]);
    expect(read.intactLines).toBe(4);
  });

  it('treats a record with any value of the wrong type as one damaged record', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.nat(),
        fc.constantFrom(null, 7.5, 'x', {}, [null]),
        fc.boolean(),
        (sample, at, wrong, isPacked) => {
          const written = isPacked ? packedRecord(sample, journalVersion) : sample;
          const paths = pathsOf(written);
          const path = paths[at % paths.length] ?? [];
          const changed = withValue(written, path, wrong) as JournalRecord;
          const asItIs = [header, changed, { ...undo, seq: 9 }].map((record) => `${encodeRecord(record, 1)}\n`);
          const read = readJournal(asItIs, session);
          // Null and other texts and numbers are valid in some places. In the others they must not cause a failure.
          expect(() => inspectAll(read.records)).not.toThrow();
          expect(read.records.at(-1)).toEqual({ ...undo, seq: 9 });
          expect(read.issues.length).toBe(read.records.length === 3 ? 0 : 1);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('names the field that has a value of the wrong kind', () => {
    const wrong = { ...compaction(1, 1, 1), loss: { messages: { whole: 0, shortened: 0, gone: 'x' } } };
    const old = [header, wrong as unknown as JournalRecord, redo].map((record) => `${encodeRecord(record, 1)}\n`);
    const read = readJournal(old, session);
    expect(read.issues.map(inEnglish)).toEqual([
      {
        line: 2,
        message: 'This journal line cannot be used: its field "loss.messages.gone" has a value of the wrong kind.',
      },
    ]);
    expect(read.records).toEqual([header, redo]);
    expect(read.readOnlyBecause).toBeNull();
  });

  it('keeps the rest of the newest run if one of its records is damaged', () => {
    const [first = '', second = '', third = '', fourth = ''] = lines(
      header,
      compaction(1, 1, 3),
      compaction(2, 1, 3),
      compaction(3, 1, 3),
    );
    const read = readJournal([first, second, third.replace('tool', 'fool'), fourth], session);
    expect(read.records.map(({ seq }) => seq)).toEqual([0, 1, 3]);
    expect(read.intactLines).toBe(4);
  });

  it('the journal neither uses nor writes to the journal of another session', () => {
    const read = readJournal(lines(header, undo), { ...session, id: 's2' });
    expect(read.records).toEqual([]);
    expect(String(read.readOnlyBecause)).toBe('The journal belongs to another session (pi s1).');
  });

  it('distinguishes a torn journal from a file that is not a journal', () => {
    for (const text of ['{"type":"session"}\n', 'some notes', '\u0000\u0001\u0002', '{"checksum":"x"}\n']) {
      expect(String(readJournal([text], session).readOnlyBecause)).toContain('not a journal of Strata');
    }
    expect(readJournal(['{"checks'], session)).toMatchObject({ readOnlyBecause: null, intactLines: 0 });
  });
});
