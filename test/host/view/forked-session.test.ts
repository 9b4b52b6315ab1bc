import { describe, expect, it } from 'vitest';
import { detailOf, openCompaction } from '../../../extension/host/view/compaction-detail';
import { SessionViewBuilder } from '../../../extension/host/view/session-view';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import { rescueOf } from '../../../extension/inspection/rescue';
import { forks, settings } from '../../builders/view-surroundings';
import { compact, copyOf, inspect } from '../../inspection/fork/inspect';
import { temporaryFolders } from '../../sessions/temporary';

const temporary = temporaryFolders();

const samples = [
  'pi-0.87/after-compaction.jsonl',
  'claude-code-2.1.330/after-compaction.jsonl',
  'claude-code-2.1.330/before-compaction.jsonl',
  'codex-0.169/after-compaction.jsonl',
  'pi-0.87/before-compaction.jsonl',
  'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl',
];

describe.each(samples)('the view of a fork of %s', (sample) => {
  it('shows its blocks and core as such, opens their messages, and reports nothing as gone that it has', async () => {
    const folder = temporary();
    const inspection = await inspect(copyOf(sample, folder), folder);
    await compact(inspection);
    await inspection.coreEditor.pin('constraint', 'Never touch the database.', null);
    const original = new SessionViewBuilder().build(inspection, settings, forks);
    const fork = await inspect((await forkSession(inspection)).file, folder);
    const view = new SessionViewBuilder().build(fork, settings, forks);

    const strata = (rows: typeof view.rows) =>
      rows
        .filter(({ kind, block }) => kind === 'core' || block)
        .map(({ kind, preview, block }) => ({ kind, preview, tag: block?.tag, entryCount: block?.entryCount }));
    expect(strata(view.rows)).toEqual(strata(original.rows));
    expect(view.core.asserted).toBe(original.core.asserted);
    expect(view.inAgent).toBeNull();
    expect(view.gauge.total).toBeGreaterThan(original.gauge.total * 0.98);
    expect(view.gauge.total).toBeLessThan(original.gauge.total * 1.02);

    const block = view.rows.find(({ block: found }) => found?.partOf)?.block;
    const opened = openCompaction(block?.compactionId ?? '', fork);
    expect(opened.replaced).toHaveLength(block?.entryCount ?? 0);

    const made = view.compactions.find(({ inFork }) => inFork);
    expect(made?.id).toBe(block?.partOf);
    const { loss, fates } = detailOf(made?.id ?? '', fork);
    const kept = JSON.stringify(fork.context.messages.map(({ parts }) => parts));
    for (const { text, fate } of loss?.messages.listed ?? []) if (fate === 'gone') expect(kept).not.toContain(text);
    expect(fates.filter(({ fate }) => fate === 'whole').length).toBeGreaterThan(0);
    expect(rescueOf(fork).kind).toBe('not-compacted');
  });
});
