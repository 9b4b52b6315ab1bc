import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newPreviews, previewView } from '../../extension/host/panel/previews';
import { detailOf, openCompaction } from '../../extension/host/view/compaction-detail';
import { compactionViews } from '../../extension/host/view/compactions';
import { historyView } from '../../extension/host/view/history';
import type { Inspection } from '../../extension/inspection/inspection';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { inspectSample, prepareSample } from '../builders/inspection';

// Strategy titles come from the settings module, which previews do not need.
vi.mock('vscode', () => ({}));

describe('the panel’s view of the compactions of a real session', () => {
  let inspection: Inspection;
  beforeAll(async () => {
    inspection = (await inspectSample()).inspection;
    await inspection.apply(await prepareSample(inspection, 'checkpoint', { checkpoint: { keepRecentTokens: 2000 } }));
  });

  const own = () => compactionViews(inspection).findLast(({ by }) => by === 'strata')?.blocks[0]?.id ?? '';
  const agents = () => compactionViews(inspection).find(({ by }) => by === 'agent')?.id ?? '';

  it('the panel’s view of the compactions of a real session has the fate of each replaced entry, with kind, preview and tokens', () => {
    for (const id of [own(), agents()]) {
      const opened = openCompaction(id, inspection);
      const { fates } = detailOf(id, inspection);
      expect(fates.map(({ entryId }) => entryId)).toEqual(opened.replaced.flatMap(({ entryIds }) => entryIds));
      expect(fates.every(({ preview, tokens }) => !preview.includes('\n') && tokens > 0)).toBe(true);
      expect(fates.filter(({ kind }) => kind === 'user').length).toBeGreaterThan(0);
    }
    const kept = detailOf(own(), inspection).fates.filter(({ fate }) => fate !== 'gone');
    expect(kept.length).toBeGreaterThan(0);
  });

  it('the panel’s view of the compactions of a real session has the editable text without its tag while the block is active', async () => {
    const { editable, after } = detailOf(own(), inspection);
    expect(`[SUMMARIZED]\n${editable}`).toBe(after);
    expect(detailOf(agents(), inspection).editable).toBeNull();
    const undone = (await inspectSample()).inspection;
    await undone.apply(await prepareSample(undone, 'checkpoint', { checkpoint: { keepRecentTokens: 2000 } }));
    await undone.undo();
    const id = compactionViews(undone).findLast(({ by }) => by === 'strata')?.blocks[0]?.id ?? '';
    expect(detailOf(id, undone).editable).toBeNull();
  });

  it('marks edited blocks, and exclusions in which nothing was summarized', async () => {
    const changed = (await inspectSample()).inspection;
    await changed.apply(await prepareSample(changed, 'checkpoint', { checkpoint: { keepRecentTokens: 2000 } }));
    const [record] = changed.journal.state.compactions;
    await changed.blockEditor.edit(record?.record.seq ?? 0, 'We refactor the agent.');
    const taken = changed.context.messages.findLast(({ kind, tokens }) => kind === 'tool_result' && tokens > 100);
    await changed.exclude(taken?.key ?? '', toolsWithoutModel);
    const views = compactionViews(changed).filter(({ by }) => by === 'strata');
    expect(views.map(({ edited, excludes }) => ({ edited, excludes }))).toEqual([
      { edited: true, excludes: false },
      { edited: false, excludes: true },
    ]);
    const excluded = detailOf(views[1]?.id ?? '', changed);
    expect(excluded.editable).toBeNull();
    expect(new Set(excluded.fates.map(({ fate }) => fate))).toEqual(new Set(['gone']));
    expect(historyView(changed).marks.map(({ tag }) => tag)).toEqual(['Agent’s summary', '[SUMMARIZED]', '[EXCLUDED]']);
  });

  it('the panel’s view of the compactions of a real session has previews with editable blocks and their loss', async () => {
    const changeable = (await inspectSample()).inspection;
    const run = await prepareSample(changeable, 'checkpoint', { checkpoint: { keepRecentTokens: 2000 } });
    const preview = previewView(newPreviews().remember(changeable, run), run);
    for (const block of preview.blocks) {
      expect(`${block.tag}\n${block.editable}`).toBe(block.after);
      expect(block.edited).toBe(false);
      expect(block.loss?.text).toContain('messages of the person');
    }
    expect(preview.blocks.length).toBeGreaterThan(0);
  });

  it('has a run of several blocks as one entry, with the blocks that the model reads first', async () => {
    const several = (await inspectSample()).inspection;
    const run = await prepareSample(several);
    await several.apply(run);
    const [entry, ...others] = compactionViews(several).filter(({ by }) => by === 'strata');
    expect(others).toEqual([]);
    expect(entry?.blocks).toHaveLength(run.records.length);
    const places = entry?.blocks.map(({ place }) => place) ?? [];
    expect(places.slice(places.indexOf('covered'))).not.toContain('context');
    expect(entry?.inContext).toEqual(previewView('1', run).inContext);
    expect(entry?.lossText).toBe(previewView('1', run).loss?.text);
    expect(detailOf(entry?.id ?? '', several).loss?.text).toBe(entry?.lossText);
    const covered = entry?.blocks.filter(({ place }) => place === 'covered') ?? [];
    expect(covered.length).toBeGreaterThan(0);
    for (const { id } of covered) expect(detailOf(id, several).editable).toBeNull();
  });

  it('the panel’s view of the compactions of a real session has a chart that ends at the value of the gauge, with the list’s ids on its marks', () => {
    const { points, marks, messages } = historyView(inspection);
    expect(points.at(-1)?.tokens).toBe(inspection.context.tokens.total);
    expect(marks.map(({ id }) => id)).toEqual(compactionViews(inspection).map(({ id }) => id));
    expect(messages).toBe(5);
    for (const { drift } of marks) {
      expect((drift?.whole ?? 0) + (drift?.shortened ?? 0) + (drift?.gone ?? 0)).toBe(messages);
    }
    expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).sort((a, b) => a - b));
  });
});
