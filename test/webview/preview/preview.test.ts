import { describe, expect, it } from 'vitest';
import { CompactionPreview } from '../../../webview/state/preview/preview.svelte';
import { SessionState } from '../../../webview/state/session.svelte';
import { deferred, flush, model, noModel, preview as previewOf, rows, testHost, view } from '../builders/view';

const strategies = ['pipeline', 'tool-calls'].map((name) => ({ name, group: 'tiers', title: name, description: '' }));

function open(handlers: Parameters<typeof testHost>[0] = {}) {
  const session = new SessionState();
  session.open(view({ rows: rows('a') }));
  const host = testHost({
    'preview-compaction': async () => previewOf('p1'),
    'apply-preview': async () => null,
    ...handlers,
  });
  const preview = new CompactionPreview(session, host.request);
  preview.configure(strategies, 'pipeline');
  preview.summarizer = noModel;
  return { session, host, preview };
}

describe('a compaction preview', () => {
  it('asks at once when it opens, and can then be applied', async () => {
    const { preview, host } = open();

    preview.open();
    expect([preview.isWorking, preview.canApply]).toEqual([true, false]);
    await flush();

    expect([preview.shown?.id, preview.canApply]).toEqual(['p1', true]);
    expect(await preview.apply()).toBe(true);
    expect(host.asked).toEqual(['preview-compaction', 'apply-preview']);
    expect(preview.isOpen).toBe(false);
  });

  it('counts as prepared with the summarizer that the host used, even if the panel hears of the choice later', async () => {
    const { preview } = open({
      'preview-compaction': async () => ({ ...previewOf('p1'), chosen: model.label }),
    });
    preview.open();
    await flush();
    preview.summarizer = model;
    expect([preview.staleness, preview.canApply]).toEqual(['current', true]);
  });

  it.each([
    [
      'the strategy',
      'settings-changed',
      ({ preview }: ReturnType<typeof open>) => {
        preview.strategy = 'tool-calls';
      },
    ],
    [
      'the instructions',
      'settings-changed',
      ({ preview }: ReturnType<typeof open>) => {
        preview.instructions = 'keep paths';
      },
    ],
    [
      'the target',
      'settings-changed',
      ({ preview }: ReturnType<typeof open>) => {
        preview.targetTokens = 60_000;
      },
    ],
    [
      'the summarizer',
      'summarizer-changed',
      ({ preview }: ReturnType<typeof open>) => {
        preview.summarizer = model;
      },
    ],
    [
      'the context',
      'session-changed',
      ({ session }: ReturnType<typeof open>) => {
        session.apply({ revision: 2, splice: { at: 1, removed: 0, rows: rows('b') } });
      },
    ],
  ] as const)('cannot be applied once %s changed', async (_, staleness, change) => {
    const opened = open();
    await opened.preview.refresh();

    change(opened);

    expect([opened.preview.staleness, opened.preview.canApply]).toEqual([staleness, false]);
    await opened.preview.refresh();
    expect([opened.preview.staleness, opened.preview.canApply]).toEqual(['current', true]);
  });

  it('asks for the chosen target, and forgets it when it closes', async () => {
    const targets: (number | null)[] = [];
    const { preview } = open({
      'preview-compaction': async ({ targetTokens }) => {
        targets.push(targetTokens);
        return previewOf('p1');
      },
    });
    preview.targetTokens = 60_000;
    await preview.refresh();
    preview.close();
    await preview.refresh();
    expect(targets).toEqual([60_000, null]);
  });

  it('offers the usual strategies, the chosen one and that of the settings, and all on request', () => {
    const { preview } = open();
    const all = ['ladder', 'codex', 'llm', 'a-mem', 'naive'];
    const usual = (name: string) => (['ladder', 'codex'].includes(name) ? ({ usual: true } as const) : {});
    preview.configure(
      all.map((name) => ({ name, group: 'tiers', title: name, description: '', ...usual(name) })),
      'llm',
    );
    preview.strategy = 'naive';
    const offered = () => preview.offered.map(({ name }) => name);
    expect(offered()).toEqual(['ladder', 'codex', 'llm', 'naive']);
    preview.offersAll = true;
    expect(offered()).toEqual(all);
  });

  it('has nothing to apply if it found nothing to compact', async () => {
    const { preview } = open({ 'preview-compaction': async () => previewOf('p1', { blocks: [] }) });

    await preview.refresh();

    expect(preview.canApply).toBe(false);
  });

  it('stays on screen with the reason when it could not be applied', async () => {
    const { preview } = open({
      'apply-preview': async () => {
        throw new Error('the context has changed');
      },
    });
    await preview.refresh();

    expect(await preview.apply()).toBe(false);
    expect([preview.failure, preview.shown?.id, preview.canApply]).toEqual(['the context has changed', 'p1', true]);
  });

  it('says why there is no preview', async () => {
    const { preview } = open({
      'preview-compaction': async () => {
        throw new Error('no model');
      },
    });

    await preview.refresh();

    expect(preview.phase).toEqual({ kind: 'failed', message: 'no model' });
  });

  it('drops the answer to a cancelled request', async () => {
    const answer = deferred<'preview-compaction'>();
    const { preview } = open({ 'preview-compaction': () => answer.promise });
    preview.open();
    preview.stop();

    answer.resolve(previewOf('late'));
    await flush();

    expect(preview.phase).toEqual({ kind: 'idle' });
  });

  it('shows the answer to the newest question, whatever is answered first', async () => {
    const first = deferred<'preview-compaction'>();
    const answers = [first.promise, Promise.resolve(previewOf('second'))];
    const { preview } = open({ 'preview-compaction': () => answers.shift() ?? first.promise });
    void preview.refresh();
    await preview.refresh();

    first.resolve(previewOf('first'));
    await flush();

    expect(preview.shown?.id).toBe('second');
  });

  it('spends no model’s tokens before a person says so', async () => {
    const { preview, host } = open();
    preview.summarizer = model;

    preview.open();
    expect([preview.isOpen, preview.phase.kind, host.asked]).toEqual([true, 'idle', []]);

    await preview.refresh();
    expect([preview.canApply, host.asked]).toEqual([true, ['preview-compaction']]);
  });

  it('shows and applies what a comparison found', async () => {
    const applied: string[] = [];
    const { preview, session } = open({
      'read-preview': async ({ id }) => previewOf(id, { strategy: 'tool-calls' }),
      'apply-preview': async ({ id }) => {
        applied.push(id);
        return null;
      },
    });

    await preview.read('p7', 'tool-calls', session.revision);

    expect([preview.isOpen, preview.strategy, preview.shown?.id, preview.canApply]).toEqual([
      true,
      'tool-calls',
      'p7',
      true,
    ]);
    await preview.apply();
    expect(applied).toEqual(['p7']);
  });

  it('does not show a comparison as current after the session has grown', async () => {
    const { preview, session } = open({ 'read-preview': async ({ id }) => previewOf(id) });
    const compared = session.revision;
    session.apply({ revision: 2, splice: { at: 1, removed: 0, rows: rows('b') } });

    await preview.read('p7', 'pipeline', compared);

    expect([preview.staleness, preview.canApply]).toEqual(['session-changed', false]);
  });

  it('keeps typed instructions, which a comparison does not use', async () => {
    const { preview, session } = open({ 'read-preview': async ({ id }) => previewOf(id) });
    preview.instructions = 'keep every path';

    await preview.read('p7', 'pipeline', session.revision);

    expect([preview.instructions, preview.staleness]).toEqual(['keep every path', 'settings-changed']);
  });

  it('asks for no more than the turns that were chosen', async () => {
    const ranges: unknown[] = [];
    const { preview } = open({
      'preview-compaction': async ({ range }) => {
        ranges.push(range);
        return previewOf('p1');
      },
    });
    await preview.refresh();

    preview.range.set({ from: null, upTo: 'u3' });
    expect([preview.staleness, preview.canApply]).toEqual(['settings-changed', false]);
    preview.open();
    await flush();

    expect(ranges).toEqual([null, { from: null, upTo: 'u3' }]);
    expect(preview.canApply).toBe(true);
    preview.close();
    expect(preview.range.value).toBeNull();
  });

  it('applies the text that a person gave a block', async () => {
    const applied: string[] = [];
    const { preview } = open({
      'edit-preview': async ({ id, block, text }) => previewOf(`${id}/${block}/${text}`),
      'put-back-into-preview': async ({ id, texts }) => previewOf(`${id}+${texts.join('+')}`),
      'apply-preview': async ({ id }) => {
        applied.push(id);
        return null;
      },
    });
    await preview.refresh();
    const repair = preview.repairOf(0);

    repair?.edit.open('after');
    expect([preview.hasDraft, preview.canApply]).toEqual([true, false]);
    repair?.edit.type('mine');
    await repair?.edit.save();
    await repair?.putBack.put(['b.ts'], 'files');
    await preview.apply();

    expect(applied).toEqual(['p1/0/mine+b.ts']);
  });

  it('does not put a changed text in the place of a newer preview', async () => {
    const late = deferred<'edit-preview'>();
    const answers = ['p1', 'p2'];
    const { preview } = open({
      'preview-compaction': async () => previewOf(answers.shift() ?? 'p3'),
      'edit-preview': () => late.promise,
    });
    await preview.refresh();
    const edit = preview.repairOf(0)?.edit;
    edit?.open('after');
    void edit?.save();
    expect(preview.canApply).toBe(false);

    await preview.refresh();
    late.resolve(previewOf('p1 changed'));
    await flush();

    expect([preview.shown?.id, preview.canApply]).toEqual(['p2', true]);
  });
});
