import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeLine,
  encodeRecord,
  type JournalRecord,
  journalVersion,
  readJournal,
  type SessionIdentity,
} from '../../../extension/engine/journal/journal';
import { inEnglish } from '../../builders/in-english';

const session: SessionIdentity = { agent: 'pi', id: 's1', file: '/sessions/s1.jsonl' };
const header: JournalRecord = { kind: 'header', seq: 0, time: '2026-01-01T00:00:00.000Z', version: 1, session };
const undo: JournalRecord = { kind: 'undo', seq: 1, time: '2026-01-01T00:00:01.000Z', compactions: [3] };
const redo: JournalRecord = { kind: 'redo', seq: 2, time: '2026-01-01T00:00:02.000Z', compactions: [3] };

function lines(...records: JournalRecord[]): string[] {
  return records.map((record) => `${encodeRecord(record)}\n`);
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

  it('drops a torn last record with a notice, wherever it was torn, and keeps all before it', () => {
    const [first = '', second = '', third = ''] = lines(header, undo, redo);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: third.length - 1 }), (length) => {
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

  it('skips a damaged line in the middle and names it', () => {
    const [first = '', second = '', third = ''] = lines(header, undo, redo);
    const read = readJournal([first, second.replace('undo', 'redo'), third], session);
    expect(read.records).toEqual([header, redo]);
    expect(read.issues.map(inEnglish)).toEqual([
      { line: 2, message: 'This journal line cannot be used: its checksum does not match.' },
    ]);
  });

  it('journal is read-only if it comes from a newer version', () => {
    const newer = { ...header, version: journalVersion + 1 };
    const read = readJournal(lines(newer), session);
    expect(String(read.readOnlyBecause)).toContain(`version ${journalVersion + 1}`);
    expect(read.records).toEqual([]);
  });

  it('journal is read-only if it has records of a newer kind', () => {
    const later = { kind: 'teleport', seq: 1, time: '' } as unknown as JournalRecord;
    const read = readJournal(lines(header, later, undo), session);
    expect(read.records).toEqual([header, undo]);
    expect(String(read.readOnlyBecause)).toContain('"teleport"');
  });

  it('journal of another session is neither used nor written to', () => {
    const read = readJournal(lines(header, undo), { ...session, id: 's2' });
    expect(read.records).toEqual([]);
    expect(String(read.readOnlyBecause)).toBe('The journal belongs to another session (pi s1).');
  });

  it('journal is not confused with another file, nor the file with a torn journal', () => {
    for (const text of ['{"type":"session"}\n', 'some notes', '\u0000\u0001\u0002', '{"checksum":"x"}\n']) {
      expect(String(readJournal([text], session).readOnlyBecause)).toContain('not a journal of Strata');
    }
    expect(readJournal(['{"checks'], session)).toMatchObject({ readOnlyBecause: null, intactLines: 0 });
  });
});
