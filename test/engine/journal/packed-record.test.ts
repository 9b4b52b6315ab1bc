import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runStrata } from '../../../extension/cli/program';
import type { LossReport } from '../../../extension/engine/block/loss';
import { decodeLine } from '../../../extension/engine/journal/journal';
import { packedRecord, unpackedRecord } from '../../../extension/engine/journal/packed-record';
import type { CompactionRecord, EditRecord, JournalRecord } from '../../../extension/engine/journal/records';
import { journalPath } from '../../../extension/inspection/journal-store';
import { inspectSample, prepareSample } from '../../builders/inspection';
import { encodeRecord } from '../../builders/journal';
import { printedBy } from '../../builders/printed';
import { sampleSessions } from '../../builders/samples';

/** The first journal version with packed records. */
const packedSince = 5;

const id = fc.constantFrom('e1', 'e2', 'e3', 'elsewhere', '__proto__', '');
const word = fc.constantFrom('the constraint holds', 'src/config.ts', 'x', '', 'ж漢🙂 is what it says', '\ud83d');
const words = fc.array(word, { maxLength: 4 }).map((all) => all.join('. '));

const lostItems = fc.array(fc.record({ text: words, entryId: id }), { maxLength: 3 });
const tally = fc.record({ named: fc.nat(5), unnamed: fc.nat(5), listed: lostItems });

const report: fc.Arbitrary<LossReport> = fc.record({
  messages: fc.record({
    whole: fc.nat(5),
    shortened: fc.nat(5),
    gone: fc.nat(5),
    listed: lostItems.map((items) => items.map((item) => ({ ...item, fate: 'gone' as const }))),
  }),
  files: tally,
  open: tally,
  outputs: fc.record({
    count: fc.nat(5),
    tokens: fc.nat(9000),
    largest: lostItems.map((items) => items.map((item) => ({ ...item, tokens: 9 }))),
  }),
});

const loss = fc.option(report);

const spans = fc.array(fc.record({ section: fc.constantFrom(null, 'Findings' as const), text: words, entryId: id }), {
  maxLength: 4,
});

const base = { seq: 1, time: '2026-01-01T00:00:00.000Z', tokensAfter: 1 };
const spent = { tokensSpent: { input: 0, output: 0 }, durationMs: 0, promptHash: null };
const summarizer = { name: 'extractive', model: null };

const block: fc.Arbitrary<CompactionRecord> = fc
  .record({ text: words, entryIds: fc.array(id, { maxLength: 5 }), loss, spans })
  .map((own) => ({
    ...{ kind: 'compaction', ...base, run: 1, runLength: 1, strategy: 'ladder', parameters: {}, trigger: 'manual' },
    ...{ instructions: null, summarizer, ...spent, summaryType: 'conversation', turnCount: 1, swallowed: [] },
    ...{ tokensBefore: 2, ...own },
  }));

const edit: fc.Arbitrary<EditRecord> = fc
  .record({ text: words, loss, spans, isWritten: fc.boolean() })
  .map(({ isWritten, spans: sources, ...own }) => ({
    ...{ kind: 'edit', ...base, compaction: 1, ...own },
    ...(isWritten ? { writing: { summarizer, ...spent, spans: sources } } : {}),
  }));

describe('a packed record', () => {
  it('reads a packed record back character for character', () => {
    fc.assert(
      fc.property(fc.oneof(block, edit), (record) => {
        const decoded = decodeLine(encodeRecord(record, packedSince));
        expect(decoded.kind === 'record' && JSON.stringify(decoded.record)).toBe(JSON.stringify(record));
        expect(decodeLine(encodeRecord(record, packedSince - 1))).toEqual({ kind: 'record', record });
      }),
      { numRuns: 500 },
    );
  });

  it('reads a block without a run as a run of its own', () => {
    fc.assert(
      fc.property(block, fc.integer({ min: 1, max: 90 }), (record, seq) => {
        const { run: _run, runLength: _length, ...unmarked } = { ...record, seq, loss: null };
        const line = encodeRecord(unmarked as CompactionRecord, packedSince - 1);
        expect(decodeLine(line)).toEqual({ kind: 'record', record: { ...unmarked, run: seq, runLength: 1 } });
      }),
    );
  });

  it('stores a source in the block as its place, and the lists that earlier versions require', () => {
    const text = '[SUMMARIZED]\nThe cause is a missing lock.';
    const span = { section: null, text: 'The cause is a missing lock.', entryId: 'e2' };
    const record: JournalRecord = {
      ...{ kind: 'edit', ...base, compaction: 1, text, loss: null },
      writing: { summarizer, ...spent, spans: [span] },
    };
    expect(packedRecord(record, packedSince)).toEqual({
      ...record,
      loss: { kept: [], lost: [] },
      writing: { summarizer, ...spent, spans: [[null, [13, 28], 0]] },
      otherEntryIds: ['e2'],
    });
    expect(unpackedRecord(packedRecord(record, packedSince))).toEqual(record);
  });

  it('drops the loss report that an earlier version wrote', () => {
    const found = { kind: 'direction', text: 'Never push to the main branch.', entryIds: ['e2'], weight: 1 };
    const line = { ...{ kind: 'edit', ...base, compaction: 1, text: 'x' }, loss: { kept: [], lost: [found] } };
    const decoded = decodeLine(encodeRecord(line as unknown as JournalRecord, packedSince - 1));
    expect(decoded).toEqual({ kind: 'record', record: { ...line, loss: null } });
  });
});

describe('journals of real sessions', () => {
  it.each(sampleSessions())('say the same packed as unpacked, in less room: $name', async ({ file }) => {
    const { inspection, journals } = await inspectSample(undefined, file);
    for (const strategy of ['ladder', 'pipeline']) {
      const run = await prepareSample(inspection, strategy, { target: 0.2, keepRecentTokens: 500 });
      if (run.records.length > 0) await inspection.apply(run);
    }
    const { records } = inspection.journal;
    if (records.length === 0) return;
    const unpacked = await mkdtemp(join(tmpdir(), 'strata-unpacked-'));
    const before = records.map((record) =>
      encodeRecord(record.kind === 'header' ? { ...record, version: packedSince - 1 } : record, packedSince - 1),
    );
    await writeFile(await journalPath(unpacked, inspection.journal.session), `${before.join('\n')}\n`);
    const shown = async (folder: string) => {
      const again = (await inspectSample(folder, file)).inspection;
      expect(again.journal.issues).toEqual([]);
      const said = await printedBy(() => runStrata(['--journal', folder, 'inspect', file, '--json']));
      const { compactions, items } = again.journal.state;
      return JSON.stringify([compactions, items, again.context, said]);
    };
    expect((await shown(journals)) === (await shown(unpacked))).toBe(true);
    const size = (lines: readonly string[]) => lines.reduce((total, line) => total + line.length, 0);
    expect(size(records.map((record) => encodeRecord(record, packedSince)))).toBeLessThanOrEqual(size(before));
  });
});
