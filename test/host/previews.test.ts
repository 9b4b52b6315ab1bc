import * as l10n from '@vscode/l10n';
import { describe, expect, it, vi } from 'vitest';
import { localizable } from '../../extension/engine/wording/localizable-text';
import { Previews, previewView } from '../../extension/host/panel/previews';
import { inspectSample, prepareSample } from '../builders/inspection';

// Strategy titles come from the settings module, which previews do not need.
vi.mock('vscode', () => ({}));

describe('a preview', () => {
  it('a preview can be read for its own session only, and its id is not reused', async () => {
    const [first, second] = [(await inspectSample()).inspection, (await inspectSample()).inspection];
    const previews = new Previews();
    const run = await prepareSample(first);
    const id = previews.remember(first, run);
    const other = previews.remember(second, await prepareSample(second));
    expect(other).not.toBe(id);
    expect(previews.read(first, id)).toBe(run);
    expect(() => previews.read(second, id)).toThrow(/belongs to another session/);
  });

  it('a preview is forgotten after many newer ones, after it is applied, and when its session is closed', async () => {
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
    for (const id of ids) expect(() => previews.read(inspection, id)).toThrow(/no longer exists/);
  });

  it('a preview has the failed calls of a model in the display language', async () => {
    l10n.config({ contents: { '{0} ended before its answer was complete.': '{0} brach ab.' } });
    const run = await prepareSample((await inspectSample()).inspection);
    const failed = { ...run, failures: [localizable('{0} ended before its answer was complete.', 'POST http://a')] };
    expect(previewView('1', failed).failures).toEqual(['POST http://a brach ab.']);
    l10n.config({ contents: {} });
  });

  it('offers no editable text for a block that a later block of it replaced', async () => {
    const run = await prepareSample((await inspectSample()).inspection);
    const { blocks, inContext } = previewView('1', run);
    const lies = blocks.filter(({ isBeneath }) => isBeneath);
    expect(inContext.beneath).toBe(lies.length);
    expect(inContext.blocks).toBe(run.after.messages.filter(({ block }) => block).length);
    expect(lies.length).toBeGreaterThan(0);
    expect(lies.map(({ editable }) => editable)).toEqual(lies.map(() => null));
    expect(blocks.some(({ editable }) => editable !== null)).toBe(true);
  });
});
