import { describe, expect, it, vi } from 'vitest';
import { standingIn } from '../../extension/engine/run/run-loss';
import { Previews, previewView } from '../../extension/host/panel/previews';
import { inspectSample, prepareSample } from '../builders/inspection';

// The titles of strategies come from the settings, which no preview is about.
vi.mock('vscode', () => ({}));

describe('a preview', () => {
  it('is read in its own session only, and leaves no id to another', async () => {
    const [first, second] = [(await inspectSample()).inspection, (await inspectSample()).inspection];
    const previews = new Previews();
    const run = await prepareSample(first);
    const id = previews.remember(first, run);
    const other = previews.remember(second, await prepareSample(second));
    expect(other).not.toBe(id);
    expect(previews.read(first, id)).toBe(run);
    expect(() => previews.read(second, id)).toThrow(/of another session/);
  });

  it('is forgotten when many came after it, when it was applied, and when its session was closed', async () => {
    const inspection = (await inspectSample()).inspection;
    const previews = new Previews();
    const run = await prepareSample(inspection);
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
    const run = await prepareSample((await inspectSample()).inspection);
    const standing = new Set(standingIn(run.records));
    const { blocks } = previewView('1', run);
    const lies = blocks.filter((_, at) => !standing.has(run.records[at] as never));
    expect(lies.length).toBeGreaterThan(0);
    expect(lies.map(({ editable }) => editable)).toEqual(lies.map(() => null));
    expect(blocks.some(({ editable }) => editable !== null)).toBe(true);
  });
});
