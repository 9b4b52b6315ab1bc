import { appendFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appendRecords } from '../../extension/engine/journal/journal-access';
import type { JournalState } from '../../extension/engine/journal/journal-state';
import type { JournalRecord, SessionIdentity } from '../../extension/engine/journal/records';
import { headerRecord, JournalFile } from '../../extension/inspection/journal-file';
import { inEnglish } from '../builders/in-english';
import { encodeRecord } from '../builders/journal';
import { LoopTurns } from '../builders/loop-turns';

const session: SessionIdentity = { agent: 'pi', id: 's1', file: '/sessions/s1.jsonl' };
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-journal-'));
  path = join(folder, 'journals', 'j.jsonl');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): Promise<JournalFile> {
  return JournalFile.open(path, session);
}

function pinAfter(text: string): (state: JournalState) => JournalRecord[] {
  return ({ lastSeq }) => {
    const time = '2026-01-01T00:00:00.000Z';
    const header = lastSeq < 0 ? [headerRecord(session, time)] : [];
    const item = {
      id: text,
      kind: 'goal',
      text,
      rationale: null,
      timestamp: time,
      entryId: null,
      status: 'active',
    } as const;
    return [...header, { kind: 'pin', seq: Math.max(lastSeq, 0) + 1, time, item }];
  };
}

function compaction(seq: number, run: number, runLength: number): JournalRecord {
  return {
    kind: 'compaction',
    seq,
    run,
    runLength,
    time: '2026-01-01T00:00:00.000Z',
    strategy: 'tool-calls',
    parameters: {},
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
    spans: [],
    loss: null,
  };
}

function texts(journal: JournalFile): string[] {
  return journal.state.items.map((item) => item.text);
}

describe('a journal file', () => {
  it('comes into being with its first record, and is there again when it is opened again', async () => {
    const journal = await open();
    await journal.append(pinAfter('first'));
    expect(texts(await open())).toEqual(['first']);
  });

  it('takes in what another process appended before it appends itself', async () => {
    const [mine, theirs] = [await open(), await open()];
    await mine.append(pinAfter('mine'));
    await theirs.append(pinAfter('theirs'));
    expect(texts(theirs)).toEqual(['mine', 'theirs']);
    expect(await mine.refresh()).toBe(true);
    expect(texts(mine)).toEqual(['mine', 'theirs']);
    expect(mine.state.lastSeq).toBe(2);
  });

  it('keeps what it knows of a record when others append, and reads the same as a new one', async () => {
    const [mine, theirs] = [await open(), await open()];
    const record = compaction(1, 1, 1);
    await mine.append(() => [headerRecord(session, ''), record]);
    await Promise.all([mine.refresh(), theirs.append(pinAfter('theirs')), mine.refresh()]);
    await mine.refresh();
    expect(mine.state.compactions[0]?.record).toBe(record);
    expect(mine.state).toEqual((await open()).state);
  });

  it('is written and read in slices if it is long', async () => {
    const journal = await open();
    const turns = new LoopTurns();
    const writtenIn = new Set<number>();
    const record = { ...compaction(1, 1, 40), text: 'long '.repeat(20_000) };
    const records = Array.from({ length: 40 }, (_, index) => {
      const written = () => {
        writtenIn.add(turns.count);
        return { ...record, seq: index + 1 };
      };
      return { ...record, seq: index + 1, toJSON: written };
    });
    await journal.append(() => [headerRecord(session, ''), ...records]);
    const readIn = new Set<number>();
    const { parse } = JSON;
    const parsing = vi.spyOn(JSON, 'parse').mockImplementation((text) => {
      readIn.add(turns.count);
      return parse(text);
    });
    const reopened = await open();
    parsing.mockRestore();
    turns.stop();
    expect(reopened.state.compactions).toHaveLength(40);
    expect(writtenIn.size).toBeGreaterThan(5);
    expect(readIn.size).toBeGreaterThan(5);
  });

  it('gives every record a number of its own when two append at once', async () => {
    const journals = await Promise.all(Array.from({ length: 8 }, open));
    await Promise.all(journals.map((journal, index) => journal.append(pinAfter(`pin ${index}`))));
    const reopened = await open();
    expect(reopened.state.lastSeq).toBe(8);
    expect(texts(reopened).sort()).toEqual(Array.from({ length: 8 }, (_, index) => `pin ${index}`));
  });

  it('drops the part of a record that a killed process left, and continues after the last whole one', async () => {
    await (await open()).append(pinAfter('whole'));
    const whole = await readFile(path, 'utf8');
    await appendFile(path, '{"checksum":"0123456789abcdef","record":{"kind":"pin","te');
    const journal = await open();
    expect(journal.issues.map(inEnglish)).toEqual([
      { file: path, line: 3, message: 'The last record of the journal is incomplete and was left out.' },
    ]);
    await journal.append(pinAfter('next'));
    expect(texts(await open())).toEqual(['whole', 'next']);
    expect((await readFile(path, 'utf8')).startsWith(whole)).toBe(true);
  });

  it('keeps a record that is written after stray bytes without a line break', async () => {
    await (await open()).append(pinAfter('first'));
    await appendFile(path, Buffer.alloc(64, 0xfe));
    await (await open()).append(pinAfter('second'));
    const journal = await open();
    expect(texts(journal)).toEqual(['first', 'second']);
    expect(journal.issues).toHaveLength(1);
  });

  it('drops the zero bytes that a loss of power left at its end', async () => {
    await (await open()).append(pinAfter('first'));
    const whole = await readFile(path, 'utf8');
    await appendFile(path, Buffer.alloc(4096));
    await (await open()).append(pinAfter('second'));
    expect((await open()).issues).toEqual([]);
    expect((await readFile(path, 'utf8')).startsWith(`${whole}{`)).toBe(true);
  });

  it('keeps its newest record if the line break after it is damaged', async () => {
    await (await open()).append(pinAfter('first'));
    await (await open()).append(pinAfter('second'));
    const bytes = await readFile(path);
    bytes.writeUInt8(0x0b, bytes.length - 1);
    await writeFile(path, bytes);
    await (await open()).append(pinAfter('third'));
    expect(texts(await open())).toEqual(['first', 'second', 'third']);
  });

  it('is used and written to with a damaged header, and gets a new one', async () => {
    const access = (journal: JournalFile) => ({ journal, now: () => '2026-01-02T00:00:00.000Z', newId: () => 'x' });
    const pin = (text: string) => (lastSeq: number, state: JournalState) =>
      pinAfter(text)({ ...state, lastSeq }).slice(-1);
    await appendRecords(access(await open()), pin('first'));
    await appendRecords(access(await open()), pin('second'));
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(60) ^ 1, 60);
    await writeFile(path, bytes);

    await appendRecords(access(await open()), pin('third'));

    const journal = await open();
    expect(texts(journal)).toEqual(['first', 'second', 'third']);
    expect(journal.records.map(({ kind, seq }) => `${seq} ${kind}`)).toEqual(['1 pin', '2 pin', '3 header', '4 pin']);
    expect(journal.readOnlyBecause).toBeNull();
    expect(journal.issues.map(({ line }) => line)).toEqual([1, 1]);
    await appendRecords(access(await open()), pin('fourth'));
    expect((await open()).records.filter(({ kind }) => kind === 'header')).toHaveLength(1);
  });

  it('is read again if a record replaced a torn one of the same length', async () => {
    const theirs = await open();
    await theirs.append(pinAfter('first'));
    const before = await readFile(path);
    await theirs.append(pinAfter('second'));
    const length = (await readFile(path)).length - before.length;
    const torn = '{"checksum":"0123456789abcdef","record":{"kind":"pin",'.padEnd(length, 'x');
    await writeFile(path, Buffer.concat([before, Buffer.from(torn)]));
    const mine = await open();
    expect(texts(mine)).toEqual(['first']);

    await (await open()).append(pinAfter('second'));

    expect((await readFile(path)).length).toBe(before.length + length);
    expect(await mine.refresh()).toBe(true);
    expect(texts(mine)).toEqual(['first', 'second']);
  });

  it('holds a run as a whole or not at all', async () => {
    const run = (state: JournalState) => {
      const first = Math.max(state.lastSeq, 0) + 1;
      return [first, first + 1].map((seq) => compaction(seq, first, 2));
    };
    await (await open()).append(pinAfter('x'));
    await (await open()).append(run);
    expect((await open()).state.compactions).toHaveLength(2);
    const lines = (await readFile(path, 'utf8')).split(/(?<=\n)/);
    await writeFile(path, lines.slice(0, -1).join(''));
    const journal = await open();
    expect(journal.state.compactions).toEqual([]);
    expect(journal.issues.map((issue) => issue.line)).toEqual([3]);
    await journal.append(run);
    expect((await open()).state.compactions.map(({ record }) => record.seq)).toEqual([2, 3]);
  });

  it('does not take back what another process wrote while this one was held up', async () => {
    const slow = await open();
    await slow.append(pinAfter('first'));
    await slow
      .append((state) => {
        appendFileSync(path, `${encodeRecord(pinAfter('meanwhile')(state)[0] as JournalRecord)}\n`);
        return pinAfter('late')(state);
      })
      .catch((error) => expect(String(error)).toContain('another process wrote'));
    expect(texts(await open())).toEqual(['first', 'meanwhile']);
  });

  it('never writes to a file that is not a journal', async () => {
    await (await open()).append(pinAfter('x'));
    await writeFile(path, 'somebody’s notes, without a line break');
    const journal = await open();
    await expect(journal.append(pinAfter('y'))).rejects.toThrow(/not a journal of Strata/);
    expect(await readFile(path, 'utf8')).toBe('somebody’s notes, without a line break');
  });

  it('never writes to a journal of a newer version', async () => {
    await (await open()).append(pinAfter('x'));
    await writeFile(path, `${encodeRecord({ ...headerRecord(session, ''), version: 99 } as JournalRecord)}\n`);
    const before = await readFile(path);
    const journal = await open();
    await expect(journal.append(pinAfter('y'))).rejects.toThrow(/version 99/);
    expect(await readFile(path)).toEqual(before);
  });

  it('takes over the lock of a process that was killed, and removes it afterwards', async () => {
    await (await open()).append(pinAfter('x'));
    const lock = `${path}.lock`;
    await writeFile(lock, 'somebody');
    await utimes(lock, new Date(0), new Date(0));
    await (await open()).append(pinAfter('y'));
    await expect(readFile(lock)).rejects.toThrow(/ENOENT/);
  });

  it('leaves the journal as it was when nothing can be written', async () => {
    await (await open()).append(pinAfter('x'));
    const before = await readFile(path);
    const journal = await open();
    await expect(
      journal.append(() => {
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await rm(join(folder, 'journals'), { recursive: true });
    await writeFile(join(folder, 'journals'), before);
    await expect(journal.append(pinAfter('y'))).rejects.toThrow();
    expect(await readFile(join(folder, 'journals'))).toEqual(before);
  });
});
