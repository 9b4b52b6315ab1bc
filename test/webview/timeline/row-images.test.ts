import { describe, expect, it } from 'vitest';
import type { ImageView } from '../../../extension/protocol/view';
import { RowImages } from '../../../webview/state/timeline/row-images.svelte';
import { deferred, flush, testHost } from '../builders/view';

const png: ImageView = { mediaType: 'image/png', source: 'data:image/png;base64,AAAA' };

function open() {
  const host = testHost({ 'read-images': async () => [png] });
  return { host, images: new RowImages(host.request) };
}

describe('the images of rows', () => {
  it('are requested once', async () => {
    const { host, images } = open();

    await Promise.all([images.read('a'), images.read('a')]);

    expect(images.of('a')).toEqual({ kind: 'ready', value: [png] });
    expect(images.of('b')).toBeUndefined();
    expect(host.asked).toEqual(['read-images']);
  });

  it('are requested again if the row was replaced, also while they were read', async () => {
    const answer = deferred<'read-images'>();
    const images = new RowImages(testHost({ 'read-images': () => answer.promise }).request);
    void images.read('a');

    images.forget('a');
    answer.resolve([png]);
    await flush();

    expect(images.of('a')).toBeUndefined();
  });

  it('say if they cannot be read', async () => {
    const images = new RowImages(testHost().request);

    await images.read('a');

    expect(images.of('a')?.kind).toBe('failed');
  });

  it('are dropped, oldest first, if there are many', async () => {
    const { images } = open();
    for (let index = 0; index <= 80; index += 1) await images.read(`r${index}`);

    expect(images.of('r0')).toBeUndefined();
    expect(images.of('r80')?.kind).toBe('ready');
  });
});
