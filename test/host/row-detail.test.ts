import { describe, expect, it } from 'vitest';
import type { ContextMessage } from '../../extension/engine/conversation/context';
import type { ImagePart, Part } from '../../extension/engine/conversation/entry';
import { rowDetail, rowImages } from '../../extension/host/view/row-detail';
import { assistant, call, injected, result, type Said, talk, user } from '../builders/conversation';
import { contextOf } from '../builders/run';

const origin = { file: '/s.jsonl', line: 1 };
const png: ImagePart = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };

function messagesOf(...said: Said[]): readonly ContextMessage[] {
  return contextOf(talk(...said)).messages;
}

function withParts(message: ContextMessage | undefined, ...parts: readonly Part[]): ContextMessage {
  if (!message) throw new Error('no message');
  return { ...message, parts: [...message.parts, ...parts] };
}

const detailOf = (messages: readonly ContextMessage[], index: number, part = '') =>
  rowDetail(`${messages[index]?.key}${part}`, messages, () => origin);

describe('the detail of a row', () => {
  it('the detail of a row is Markdown for people and models, and plain for programs', () => {
    const messages = messagesOf(
      user('# fix'),
      injected('<reminder>'),
      call('a', 'read', { path: 'x' }, 'I **look**.'),
      result('a', '# no heading'),
    );

    expect(detailOf(messages, 0)?.sections).toEqual([{ label: '', text: '# fix', cut: false, tone: 'markdown' }]);
    expect(detailOf(messages, 1)?.sections[0]?.tone).toBe('plain');
    expect(detailOf(messages, 2)?.sections[0]?.tone).toBe('markdown');
    expect(detailOf(messages, 2, '#a')?.sections.map(({ tone }) => tone)).toEqual(['code', 'code']);
  });

  it('the detail of a row is shortened if it is too long', () => {
    const [section] = detailOf(messagesOf(user('x'.repeat(10_000_000))), 0)?.sections ?? [];

    expect([section?.text.length, section?.cut]).toEqual([50_000, true]);
  });

  it('the detail of a row is null if there is no such row', () => {
    expect(rowDetail('gone', [], () => null)).toBeNull();
    expect(rowImages('gone', [])).toBeNull();
  });
});

describe('the images of a row', () => {
  it('the images of a row are those of the message, separate from its text', () => {
    const [message] = messagesOf(user('look'), assistant('yes'));
    const messages = [withParts(message, png, { ...png, data: null })];

    expect(detailOf(messages, 0)).toMatchObject({
      sections: [{ text: 'look' }],
      images: [
        { mediaType: 'image/png', source: 'data:image/png;base64,iVBORw0KGgo=' },
        { mediaType: 'image/png', source: null },
      ],
    });
    expect(rowImages(messages[0]?.key ?? '', messages)).toEqual(detailOf(messages, 0)?.images);
  });

  it('the images of a row are those of the result if the row is a call', () => {
    const [first, said, answer] = messagesOf(user('go'), call('a', 'screenshot', {}, 'I look.'), result('a', 'done'));
    const messages = [first, said, withParts(answer, png)].filter((message) => message !== undefined);

    expect(rowImages(`${said?.key}#a`, messages)).toHaveLength(1);
    expect(rowImages(`${said?.key}`, messages)).toEqual([]);
  });

  it.each([
    ['SVG', { mediaType: 'image/svg+xml', data: 'PHN2Zz4=' }],
    ['HTML', { mediaType: 'text/html', data: 'PHN2Zz4=' }],
    ['media types with parameters', { mediaType: 'image/png;charset=x', data: 'PHN2Zz4=' }],
    ['data that is not base64', { mediaType: 'image/png', data: 'https://example.org/a.png' }],
    ['data that is too large', { mediaType: 'image/png', data: 'A'.repeat(8_000_001) }],
    ['empty data', { mediaType: 'image/png', data: '' }],
  ])('the images of a row are never shown from %s', (_, image) => {
    const [message] = messagesOf(user('look'));
    const messages = [withParts(message, { type: 'image', ...image })];

    expect(rowImages(message?.key ?? '', messages)).toEqual([{ mediaType: image.mediaType, source: null }]);
  });
});
