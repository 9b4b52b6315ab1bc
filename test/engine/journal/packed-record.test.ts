import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runStrata } from '../../../extension/cli/program';
import { decodeLine, encodeRecord } from '../../../extension/engine/journal/journal';
import { packedRecord, packedSince, unpackedRecord } from '../../../extension/engine/journal/packed-record';
import type { CompactionRecord, EditRecord, JournalRecord } from '../../../extension/engine/journal/records';
import {
  type Artifact,
  artifactKinds,
  type LossReport,
  matterKinds,
} from '../../../extension/engine/language/loss-report';
import { journalPath } from '../../../extension/inspection/journal-store';
import { inspectSample, prepareSample } from '../../builders/inspection';
import { printedBy } from '../../builders/printed';
import { sampleSessions } from '../../builders/samples';

const id = fc.constantFrom('e1', 'e2', 'e3', 'elsewhere', '__proto__', '');
const word = fc.constantFrom('the constraint holds', 'src/config.ts', 'x', '', 'ж漢🙂 is what it says', '\ud83d');
const words = fc.array(word, { maxLength: 4 }).map((all) => all.join('. '));

const artifact: fc.Arbitrary<Artifact> = fc.record({
  kind: fc.constantFrom(...artifactKinds),
  text: words,
  entryIds: fc.array(id, { maxLength: 3 }),
  weight: fc.double({ noNaN: true, noDefaultInfinity: true }).map((weight) => weight || 0),
});

const loss: fc.Arbitrary<LossReport> = fc
  .record({
    kept: fc.array(artifact, { maxLength: 4 }),
    lost: fc.array(artifact, { maxLength: 4 }),
    omitted: fc.option(fc.constant({ kept: 1, lost: 2 })),
    matters: fc.option(
      fc.array(
        fc.record({
          kind: fc.constantFrom(...matterKinds),
          share: fc.constant(0.5),
          kept: fc.nat(5),
          total: fc.nat(9),
          lost: fc.array(fc.record({ text: words, entryId: id }), { maxLength: 3 }),
        }),
        { maxLength: 2 },
      ),
    ),
  })
  .map(({ omitted, matters, ...report }) => ({
    ...report,
    ...(omitted ? { omitted } : {}),
    ...(matters ? { matters: { share: 0.25, kinds: matters } } : {}),
  }));

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
  it('is read as it was written, to the last character', () => {
    fc.assert(
      fc.property(fc.oneof(block, edit), (record) => {
        const decoded = decodeLine(encodeRecord(record, packedSince));
        expect(decoded.kind === 'record' && JSON.stringify(decoded.record)).toBe(JSON.stringify(record));
        expect(decodeLine(encodeRecord(record, packedSince - 1))).toEqual({ kind: 'record', record });
      }),
      { numRuns: 500 },
    );
  });

  it('has what the block says, and what a report says twice, only once', () => {
    const text = '[SUMMARIZED]\nThe cause is a missing lock.';
    const found = (words: string): Artifact => ({ kind: 'direction', text: words, entryIds: ['e2'], weight: 1 });
    const record: JournalRecord = {
      ...{ kind: 'edit', ...base, compaction: 1, text },
      loss: {
        kept: [found('The cause is a missing lock.')],
        lost: [found('Never push to the main branch.')],
        matters: {
          share: 0,
          kinds: [
            {
              ...{ kind: 'direction', share: 0, kept: 0, total: 1 },
              lost: [{ text: 'Never push to the main branch.', entryId: 'e2' }],
            },
          ],
        },
      },
    };
    expect(packedRecord(record)).toEqual({
      ...record,
      loss: {
        kept: [[6, [13, 28], 1, 0]],
        lost: [[6, 'Never push to the main branch.', 1, 0]],
        matters: { share: 0, kinds: [{ kind: 'direction', share: 0, kept: 0, total: 1, lost: [[1, 0]] }] },
      },
      otherEntryIds: ['e2'],
    });
    expect(unpackedRecord(packedRecord(record))).toEqual(record);
    // The order of the kinds is part of the format.
    expect(artifactKinds).toEqual(['file', 'identifier', 'error', 'test', 'number', 'constraint', 'direction']);
  });
});

describe('journals of real sessions', () => {
  it.each(sampleSessions())('say packed what they say unpacked, in less room: $name', async ({ file }) => {
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
    expect(size(records.map((record) => encodeRecord(record, packedSince)))).toBeLessThan(0.75 * size(before));
  });
});
