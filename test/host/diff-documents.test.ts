import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DiffDocuments } from '../../extension/host/compaction/diff-documents';
import type { Inspector } from '../../extension/host/inspector';
import type { Inspection } from '../../extension/inspection/inspection';
import { compact, copyOf, inspect } from '../inspection/fork/inspect';

type Uri = { readonly path: string; readonly query: string };

const editor = vi.hoisted(() => ({ shown: [] as unknown[][], closed: [] as ((document: unknown) => void)[] }));

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly #listeners: ((value: unknown) => void)[] = [];
    readonly event = (listener: (value: unknown) => void) => this.#listeners.push(listener);
    fire = (value: unknown) => {
      for (const listener of this.#listeners) listener(value);
    };
    dispose = () => undefined;
  },
  Disposable: { from: () => ({ dispose: () => undefined }) },
  Uri: { from: (parts: Uri) => ({ ...parts, toString: () => `${parts.path}?${parts.query}` }) },
  workspace: {
    registerTextDocumentContentProvider: () => undefined,
    onDidCloseTextDocument: (listener: (document: unknown) => void) => editor.closed.push(listener),
  },
  commands: { executeCommand: async (...words: unknown[]) => editor.shown.push(words) },
}));

/** The part of the inspector that a diff uses; `changed` is its event. */
function inspectorOf(inspection: Inspection) {
  let changed: () => void = () => undefined;
  const inspector = {
    inspection,
    onDidChange: (listener: () => void) => {
      changed = listener;
    },
  };
  return { inspector: inspector as unknown as Inspector, changed: () => changed() };
}

async function compacted(name = 'pi-v1/until-after-first-compaction.jsonl'): Promise<Inspection> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-'));
  const inspection = await inspect(copyOf(name, folder), folder);
  await compact(inspection);
  return inspection;
}

const lastAfter = () => editor.shown.at(-1)?.[2] as never;

beforeEach(() => {
  editor.shown.length = 0;
  editor.closed.length = 0;
});

describe('an open diff', () => {
  it('an open diff has the new text after a block was edited, and says so once', async () => {
    const inspection = await compacted();
    const { inspector, changed } = inspectorOf(inspection);
    const diffs = new DiffDocuments(inspector);
    const told: unknown[] = [];
    diffs.onDidChange((uri) => told.push(uri));
    const seq = inspection.journal.state.compactions.at(-1)?.record.seq ?? 0;
    await diffs.show(inspection, `strata:${seq}`, 'Compaction');
    await inspection.blockEditor.edit(seq, 'By hand.');
    changed();
    changed();
    expect(diffs.provideTextDocumentContent(lastAfter())).toContain('By hand.');
    expect(told.map(String)).toEqual([String(lastAfter())]);
  });

  it('an open diff is not another session’s, though the compactions have one number', async () => {
    const [first, second] = [await compacted(), await compacted()];
    const diffs = new DiffDocuments(inspectorOf(second).inspector);
    const seq = first.journal.state.compactions.at(-1)?.record.seq ?? 0;
    await first.blockEditor.edit(seq, 'Of the first.');
    await diffs.show(first, `strata:${seq}`, 'Compaction');
    const ofFirst = lastAfter();
    await diffs.show(second, `strata:${seq}`, 'Compaction');
    expect(String(lastAfter())).not.toBe(String(ofFirst));
    expect(diffs.provideTextDocumentContent(ofFirst)).toContain('Of the first.');
    expect(diffs.provideTextDocumentContent(lastAfter())).not.toContain('Of the first.');
  });

  it('an open diff is forgotten when it is closed', async () => {
    const inspection = await compacted();
    const diffs = new DiffDocuments(inspectorOf(inspection).inspector);
    const seq = inspection.journal.state.compactions.at(-1)?.record.seq ?? 0;
    await diffs.show(inspection, `strata:${seq}`, 'Compaction');
    const uri = lastAfter();
    for (const close of editor.closed) close({ uri });
    expect(diffs.provideTextDocumentContent(uri)).toBe('');
  });
});
