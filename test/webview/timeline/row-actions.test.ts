import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RowAction } from '../../../extension/protocol/messages';
import type { Row } from '../../../extension/protocol/view';
import { rowKinds } from '../../../extension/protocol/views/rows';
import { SessionState } from '../../../webview/state/session.svelte';
import { canExclude, menuContext, RowActionHandlers } from '../../../webview/state/timeline/row-actions';
import { Timeline } from '../../../webview/state/timeline/timeline.svelte';
import { blockRow, row, testHost, view } from '../builders/view';

const excluded = (key: string, compactionId: string): Row => {
  const made = blockRow(key, compactionId);
  return { ...made, block: made.block && { ...made.block, tag: '[EXCLUDED]' } };
};

const rows = [
  row('s', { kind: 'system' }),
  blockRow('batch', 'strata:1', { kind: 'goal_batch' }),
  row('u1', { kind: 'user', turn: 1 }),
  row('a'),
  excluded('x', 'strata:7'),
  row('u2', { kind: 'user', turn: 2 }),
  row('b'),
];

async function did(action: RowAction, key: string): Promise<string[]> {
  const session = new SessionState();
  session.open(view({ rows }));
  const { request } = testHost({
    'read-row': async ({ key: wanted }) => ({
      sections: [`text of ${wanted}`, 'and more'].map((text) => ({ label: '', text, cut: false, tone: 'plain' })),
      images: [],
      origin: null,
      entryId: null,
    }),
  });
  const timeline = new Timeline(session, request);
  const done: string[] = [];
  const note = (what: string) => async (value: unknown) => {
    done.push(`${what} ${JSON.stringify(value)}`);
    return true;
  };
  const panel = {
    session,
    timeline,
    actions: {
      excludeRow: note('exclude'),
      undo: note('undo'),
      revealRow: note('reveal'),
      copyWhenRead: async (text: Promise<string>) => note('copy')(await text),
      fork: note('branch'),
    },
    pinning: { openFromRow: ({ key: pinned }: Row) => void note('pin')(pinned) },
    previews: { openRange: note('preview') },
  };
  new RowActionHandlers(panel, request).act(action, key);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return [...done, `lines ${timeline.lines.length}`];
}

describe('what is done with a row', () => {
  it.each([
    ['pin', 'a', 'pin "a"'],
    ['reveal', 'a', 'reveal "a"'],
    ['branch', 'u2', 'branch "u2"'],
    ['exclude', 'a', 'exclude "a"'],
    ['copy', 'a', 'copy "text of a\\n\\nand more"'],
    ['restore', 'x', 'undo {"run":7}'],
    ['compact-up-to', 'b', 'preview {"from":null,"upTo":"u2"}'],
    ['compact-from', 'a', 'preview {"from":"u1","upTo":null}'],
    ['compact-from', 'batch', 'preview {"from":"u1","upTo":null}'],
  ] as const)('%s of %s', async (action, key, expected) => {
    expect(await did(action, key)).toEqual([expected, 'lines 7']);
  });

  it('folds all turns, whichever row was asked', async () => {
    expect(await did('fold-all', '')).toEqual(['lines 4']);
  });

  it('does nothing with a row that is gone, or that was not excluded', async () => {
    expect(await did('pin', 'gone')).toEqual(['lines 7']);
    expect(await did('restore', 'batch')).toEqual(['lines 7']);
  });
});

describe('the context menu of a row', () => {
  it('gets what the row allows', () => {
    expect(menuContext(row('say "hi"', { kind: 'user' }), true)).toBe(
      '{"webviewSection":"row","strataRow":"say \\"hi\\"","strataRowKind":"user","strataOpensTurn":true,"strataCanReveal":true,"strataCanChange":true,"strataCanExclude":true,"strataCanRestore":false,"preventDefaultContextMenuItems":true}',
    );
    expect(JSON.parse(menuContext(excluded('x', 'strata:7'), true))).toMatchObject({
      strataCanExclude: false,
      strataCanRestore: true,
    });
  });

  it('offers to reveal what is in the session file, and neither blocks nor the core', () => {
    const hidden = rowKinds.filter((kind) => !JSON.parse(menuContext(row('r', { kind }), true)).strataCanReveal);
    expect(hidden).toEqual(['earlier', 'core', 'goal_batch', 'summary']);
  });

  it('allows no change in the past', () => {
    const allowed = [row('u', { kind: 'user' }), excluded('x', 'strata:7')].map((each) => {
      const { strataCanChange, strataCanExclude, strataCanRestore } = JSON.parse(menuContext(each, true, true));
      return [strataCanChange, strataCanExclude, strataCanRestore];
    });
    expect(allowed).toEqual([
      [false, false, false],
      [false, false, false],
    ]);
  });

  it('excludes only unchanged messages of the context', () => {
    const kinds = ['system', 'core', 'user', 'injected', 'reasoning', 'assistant', 'tool'] as const;

    expect(kinds.filter((kind) => canExclude(row('r', { kind }), true))).toEqual(kinds.slice(2));
    expect(canExclude(row('r'), false)).toBe(false);
    expect(canExclude(blockRow('b', 'strata:1'), true)).toBe(false);
  });
});

describe('a kind of row', () => {
  it('has a colour', () => {
    const styles = readFileSync(join(import.meta.dirname, '../../../webview/styles/panel.css'), 'utf8');
    expect(rowKinds.filter((kind) => !styles.includes(`--strata-${kind}: `))).toEqual([]);
  });
});
