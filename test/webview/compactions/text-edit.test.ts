import { describe, expect, it } from 'vitest';
import { TextEdit } from '../../../webview/state/compactions/text-edit.svelte';
import { PutBack } from '../../../webview/state/shared/put-back.svelte';

describe('an edited text', () => {
  it('is saved as it was typed', async () => {
    const saved: string[] = [];
    const edit = new TextEdit(async (text) => saved.push(text));

    edit.open('old');
    edit.type('new');
    const saving = edit.save();
    expect(edit.saving.isRunning).toBe(true);
    await saving;

    expect([saved, edit.isOpen, edit.saving.isRunning]).toEqual([['new'], false, false]);
  });

  it('is sent with the text that it began with', async () => {
    const saved: string[][] = [];
    const edit = new TextEdit(async (...texts) => saved.push(texts));
    edit.open('old');
    edit.type('new');
    await edit.save();
    edit.open('new');
    edit.type('newer');
    await edit.save();
    expect(saved).toEqual([
      ['new', 'old'],
      ['newer', 'new'],
    ]);
  });

  it('stays open with the reason if it could not be saved', async () => {
    const edit = new TextEdit(() => Promise.reject(new Error('larger than what it replaces')));
    edit.open('long');

    await edit.save();
    expect([edit.draft, edit.saving.failure]).toEqual(['long', 'larger than what it replaces']);

    edit.type('short');
    expect(edit.saving.failure).toBeNull();
  });

  it('is not saved empty', async () => {
    const saved: string[] = [];
    const edit = new TextEdit(async (text) => saved.push(text));
    edit.open(' \n');

    await edit.save();

    expect([saved, edit.isOpen]).toEqual([[], true]);
    expect(edit.saving.failure).toMatch(/needs some text/);
  });

  it('can be discarded', () => {
    const edit = new TextEdit(() => Promise.resolve());
    edit.open('old');
    edit.type('new');

    edit.cancel();

    expect([edit.draft, edit.isOpen]).toEqual([null, false]);
  });
});

describe('putting back', () => {
  it('does one thing at a time', async () => {
    const sent: (readonly string[])[] = [];
    const putBack = new PutBack(async (texts) => sent.push(texts));

    const first = putBack.put(['a', 'b'], 'files');
    void putBack.put(['c'], 'all');
    expect(putBack.isBusy).toBe(true);
    await first;

    expect([sent, putBack.isBusy]).toEqual([[['a', 'b']], false]);
  });

  it('says where it failed, until it is tried again', async () => {
    const answers = [Promise.reject(new Error('too large')), Promise.resolve()];
    const putBack = new PutBack(() => answers.shift() ?? Promise.resolve());

    await putBack.put(['a'], 'files');
    expect([putBack.failureAt('files'), putBack.failureAt('all')]).toEqual(['too large', null]);

    await putBack.put(['a'], 'all');
    expect(putBack.failureAt('files')).toBeNull();
  });
});
