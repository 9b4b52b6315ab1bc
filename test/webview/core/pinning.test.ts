import { describe, expect, it } from 'vitest';
import type { CoreItem } from '../../../extension/engine/core/core';
import type { RowDetail } from '../../../extension/protocol/view';
import { groupCore } from '../../../webview/state/core/core-items';
import { PinForm } from '../../../webview/state/core/pin-form.svelte';
import { deferred, flush, row, testHost } from '../builders/view';

const detail: RowDetail = {
  images: [],
  sections: [
    { label: 'Reasoning', text: 'hm', cut: false, tone: 'quiet' },
    { label: '', text: ' never change loadConfig \n', cut: false, tone: 'plain' },
  ],
  origin: null,
  entryId: 'e1',
};

describe('the pin form', () => {
  it('pins what was typed, without the space around it', async () => {
    const pinned: unknown[] = [];
    const pin = async (params: unknown) => {
      pinned.push(params);
      return null;
    };
    const form = new PinForm(testHost({ pin }).request);
    form.open({ kind: 'goal' });
    expect(form.canPin).toBe(false);
    form.text = ' support TOML ';

    expect(await form.submit()).toBe(true);
    expect(pinned).toEqual([{ kind: 'goal', text: 'support TOML', rowKey: null }]);
    expect(form.isOpen).toBe(false);
  });

  it('takes the whole text of a row, not only the line that the timeline shows', async () => {
    const form = new PinForm(testHost({ 'read-row': async () => detail }).request);

    await form.openFromRow(row('a', { preview: 'never change…' }));

    expect(form.draft).toEqual({ kind: 'constraint', text: 'never change loadConfig', rowKey: 'a' });
  });

  it('keeps what a person typed while the row was read', async () => {
    const answer = deferred<'read-row'>();
    const form = new PinForm(testHost({ 'read-row': () => answer.promise }).request);
    void form.openFromRow(row('a', { preview: 'never change…' }));
    form.text = 'my own words';

    answer.resolve(detail);
    await flush();

    expect(form.text).toBe('my own words');
  });

  it('stays open with the reason when the host refuses', async () => {
    const refuse = async () => {
      throw new Error('the journal is read-only');
    };
    const form = new PinForm(testHost({ pin: refuse }).request);
    form.open({ text: 'x' });

    expect(await form.submit()).toBe(false);
    expect([form.isOpen, form.text, form.pinning.failure, form.canPin]).toEqual([
      true,
      'x',
      'the journal is read-only',
      true,
    ]);
  });
});

describe('the core', () => {
  const item = (id: string, fields: Partial<CoreItem>): CoreItem => ({
    id,
    kind: 'constraint',
    text: id,
    rationale: null,
    timestamp: '2026-01-01T00:00:00Z',
    entryId: null,
    status: 'active',
    ...fields,
  });

  it('has every item in one group: by kind while it is active, else by its status', () => {
    const items = [
      item('a', { kind: 'goal' }),
      item('b', {}),
      item('c', { kind: 'decision' }),
      item('d', { status: 'proposed' }),
      item('e', { status: 'done', kind: 'goal' }),
      item('f', { status: 'superseded' }),
      item('g', { status: 'refused' }),
    ];

    const groups = groupCore({ items });

    expect(
      Object.entries(groups).map(([name, members]) => [name, members.map(({ id }: CoreItem) => id).join('')]),
    ).toEqual([
      ['proposed', 'd'],
      ['goals', 'a'],
      ['constraints', 'b'],
      ['decisions', 'c'],
      ['past', 'ef'],
      ['refused', 'g'],
    ]);
  });
});
