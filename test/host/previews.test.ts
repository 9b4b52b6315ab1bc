import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { standingIn } from '../../extension/engine/compaction/run-loss';
import { Previews, previewView } from '../../extension/host/panel/previews';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { openSession } from '../../extension/sessions/open';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';

// The titles of strategies come from the settings, which no preview is about.
vi.mock('vscode', () => ({}));

const file = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');

async function inspect(): Promise<Inspection> {
  const outcome = await openSession(file);
  if (outcome.kind !== 'opened') throw new Error(outcome.message);
  const { session } = outcome;
  const folder = await mkdtemp(join(tmpdir(), 'strata-'));
  return await Inspection.of(session, await openJournal(folder, session));
}

const prepare = (inspection: Inspection) =>
  inspection.prepare({
    strategy: 'pipeline',
    instructions: null,
    parameters: {},
    tools: toolsWithoutModel,
    signal: new AbortController().signal,
  });

describe('a preview', () => {
  it('is read in its own session only, and leaves no id to another', async () => {
    const [first, second] = [await inspect(), await inspect()];
    const previews = new Previews();
    const run = await prepare(first);
    const id = previews.remember(first, run);
    const other = previews.remember(second, await prepare(second));
    expect(other).not.toBe(id);
    expect(previews.read(first, id)).toBe(run);
    expect(() => previews.read(second, id)).toThrow(/of another session/);
  });

  it('is forgotten when many came after it, when it was applied, and when its session was closed', async () => {
    const inspection = await inspect();
    const previews = new Previews();
    const run = await prepare(inspection);
    const [oldest = '', ...ids] = Array.from({ length: 41 }, () => previews.remember(inspection, run));
    expect(() => previews.read(inspection, oldest)).toThrow();
    for (const id of ids) expect(previews.read(inspection, id)).toBe(run);
    const [next = ''] = ids;
    previews.forget(next);
    expect(() => previews.read(inspection, next)).toThrow();
    previews.clear();
    for (const id of ids) expect(() => previews.read(inspection, id)).toThrow(/no longer there/);
  });

  it('offers no text of a block to change that a later one of it took in', async () => {
    const run = await prepare(await inspect());
    const standing = new Set(standingIn(run.records));
    const { blocks } = previewView('1', run);
    const lies = blocks.filter((_, at) => !standing.has(run.records[at] as never));
    expect(lies.length).toBeGreaterThan(0);
    expect(lies.map(({ editable }) => editable)).toEqual(lies.map(() => null));
    expect(blocks.some(({ editable }) => editable !== null)).toBe(true);
  });
});
