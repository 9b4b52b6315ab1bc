import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CoreItem, coreItemStatuses, pinKinds } from '../../../extension/engine/core/core';
import { CoreItemActions } from '../../../webview/state/core/core-actions.svelte';
import { CoreEditor } from '../../../webview/state/core/core-editor.svelte';
import { historyLines } from '../../../webview/state/core/core-history';
import { neighbourOf, orderWith } from '../../../webview/state/core/core-items';
import { Proposals } from '../../../webview/state/core/proposals.svelte';
import { Notices } from '../../../webview/state/notices.svelte';
import { testHost } from '../builders/view';

function item(id: string, fields: Partial<CoreItem> = {}): CoreItem {
  const rest = { rationale: null, timestamp: '2026-01-01T00:00:00Z', entryId: null } as const;
  return { id, kind: 'constraint', text: `text of ${id}`, status: 'active', ...rest, ...fields };
}

/** A host that records its requests in order. */
function noting(refuses: (asked: string) => boolean = () => false) {
  const asked: string[] = [];
  const note = (what: string) => async (params: unknown) => {
    const said = `${what} ${JSON.stringify(params)}`;
    if (refuses(said)) throw new Error('the journal is read-only');
    asked.push(said);
    return null;
  };
  const { request } = testHost({
    pin: note('pin'),
    'edit-core-item': note('edit'),
    'change-core-item': note('change'),
    'order-core-items': note('order'),
  });
  return { request, asked };
}

describe('the order of the core', () => {
  it('moves an item to the place of another, and leaves those that are done where they are', () => {
    const items = [item('a'), item('done', { status: 'done' }), item('goal', { kind: 'goal' }), item('b'), item('c')];

    expect(orderWith(items, 'c', 'a')).toEqual(['c', 'done', 'a', 'b']);
    expect(orderWith(items, 'a', 'b')).toEqual(['b', 'done', 'a', 'c']);
    expect(orderWith(items, 'a', 'goal')).toBeNull();
    expect(neighbourOf([item('a'), item('b')], 'a', 1)).toBe('b');
    expect(neighbourOf([item('a'), item('b')], 'a', -1)).toBeNull();
  });

  it('names every item of the kind once, whatever is moved', () => {
    const some = fc.record({
      id: fc.uuid(),
      kind: fc.constantFrom(...pinKinds),
      status: fc.constantFrom(...coreItemStatuses),
    });
    fc.assert(
      fc.property(fc.uniqueArray(some, { selector: ({ id }) => id, minLength: 2 }), fc.nat(), fc.nat(), (all, a, b) => {
        const items = all.map(({ id, ...fields }) => item(id, fields));
        const [moved, place] = [items[a % items.length], items[b % items.length]];
        const order = moved && place ? orderWith(items, moved.id, place.id) : null;
        if (order === null || !moved) return;
        const ofKind = items.filter(({ kind }) => kind === moved.kind).map(({ id }) => id);
        expect(order.toSorted()).toEqual(ofKind.toSorted());
      }),
    );
  });
});

describe('the editor of an item', () => {
  it('rewords a decision and its reason', async () => {
    const { request, asked } = noting();
    const editor = new CoreEditor(request);
    editor.begin(item('d', { kind: 'decision', rationale: 'it is fast' }), 'edit');
    editor.text = ' use TOML ';
    editor.rationale = ' ';
    await editor.save();

    expect(asked).toEqual(['edit {"id":"d","text":"use TOML","rationale":null}']);
    expect(editor.item).toBeNull();
  });

  it('accepts a proposal in other words, or unchanged', async () => {
    const { request, asked } = noting();
    const editor = new CoreEditor(request);
    const proposal = item('p', { status: 'proposed' });
    editor.begin(proposal, 'accept');
    await editor.save();
    editor.begin(proposal, 'accept');
    editor.text = 'never push';
    await editor.save();

    const accepted = 'change {"id":"p","status":"active"}';
    expect(asked).toEqual([accepted, 'edit {"id":"p","text":"never push","rationale":null}', accepted]);
  });

  it('pins the new item before it supersedes the old one', async () => {
    const { request, asked } = noting();
    const editor = new CoreEditor(request);
    editor.begin(item('old'), 'replace');
    expect(editor.canSave).toBe(false);
    editor.text = 'new words';
    await editor.save();

    expect(asked).toEqual([
      'pin {"kind":"constraint","text":"new words","rowKey":null}',
      'change {"id":"old","status":"superseded"}',
    ]);
  });

  it('stays open with the reason when the host refuses', async () => {
    const editor = new CoreEditor(noting(() => true).request);
    editor.begin(item('a'), 'edit');
    editor.text = 'other words';
    await editor.save();

    expect([editor.item?.id, editor.text, editor.saving.failure]).toEqual([
      'a',
      'other words',
      'the journal is read-only',
    ]);
    expect(editor.canSave).toBe(true);
  });
});

describe('proposals', () => {
  it('are decided one after the other, up to the first failure', async () => {
    const { request, asked } = noting((said) => said.includes('"b"'));
    const notices = new Notices();
    const proposals = new Proposals(request, notices);
    await proposals.decideAll([item('a'), item('b'), item('c')], 'refused');

    expect(asked).toEqual(['change {"id":"a","status":"refused"}']);
    expect([proposals.decision.failure, notices.list]).toEqual([
      'Some proposals were not decided: the journal is read-only',
      [],
    ]);
    expect(proposals.decision.isRunning).toBe(false);
  });
});

describe('decisions on an item', () => {
  it('are announced once they are made', async () => {
    const { request } = noting();
    const notices = new Notices();
    const acts = new CoreItemActions(request, notices);

    await acts.change(item('a', { status: 'proposed' }), 'active');
    expect(notices.spoken).toEqual({ text: 'Constraint added to the core' });
    await acts.change(item('a', { status: 'proposed' }), 'refused');
    expect(notices.spoken).toEqual({ text: 'Refused' });
    expect(notices.list).toEqual([]);
  });

  it('are announced with the new place of a moved item', async () => {
    const { request, asked } = noting();
    const notices = new Notices();
    const items = [item('a'), item('old', { status: 'done' }), item('b')];

    await new CoreItemActions(request, notices).move(items, item('b'), 'a');
    expect(asked).toEqual(['order {"ids":["b","old","a"]}']);
    expect(notices.spoken).toEqual({ text: 'Moved to 1 of 2' });
  });

  it('say in the item what failed, until something else is done', async () => {
    let fails = true;
    const { request } = noting(() => fails);
    const notices = new Notices();
    const acts = new CoreItemActions(request, notices);

    await acts.change(item('a'), 'done');
    expect(acts.failureOf('a')).toBe('The item was not marked done: the journal is read-only');
    expect([acts.failureOf('b'), notices.list, notices.spoken]).toEqual([null, [], null]);
    fails = false;
    await acts.change(item('a'), 'done');
    expect(acts.failureOf('a')).toBeNull();
  });
});

describe('the history of an item', () => {
  it('tells its life in words, with the text before and after', () => {
    const time = '2026-01-01T00:00:00Z';
    const lines = historyLines([
      { kind: 'proposed', time, by: 'gpt-5' },
      { kind: 'status', time, from: 'proposed', to: 'active' },
      { kind: 'edited', time, before: 'a', after: 'b', rationaleBefore: null },
      { kind: 'edited', time, before: 'b', after: 'b', rationaleBefore: 'c' },
      { kind: 'status', time, from: 'active', to: 'done' },
      { kind: 'status', time, from: 'done', to: 'active' },
    ]);

    expect(lines.map(({ text }) => text)).toEqual([
      'Proposed by gpt-5',
      'Accepted',
      'Text changed',
      'Reason changed',
      'Marked done',
      'Made active again',
    ]);
    expect(lines.map(({ words }) => words && `${words.before} → ${words.after}`)[2]).toBe('a → b');
    expect(lines[3]?.words).toBeNull();
  });
});
