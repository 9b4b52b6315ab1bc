import { expect, it, vi } from 'vitest';
import { exclusionToConfirm } from '../../extension/host/compaction/exclude';
import { assistant, calls, long, result, talk, user } from '../builders/conversation';
import { contextOf } from '../builders/run';

vi.mock('vscode', () => ({}));

const { messages } = contextOf(
  talk([
    user('read the loader'),
    calls('a', 'b'),
    result('a', long('Lines of the loader.', 20)),
    result('b', long('Lines of another file.', 20)),
    assistant('Read.'),
    user('now fix it'),
    assistant('Fixed.'),
  ]),
);
const [asked = '', called = '', , , read = '', live = ''] = messages.map(({ key }) => key);

it('names the calls that go with the row of one of them', () => {
  expect(exclusionToConfirm(messages, called, `${called}#a`)).toEqual({ isTurn: false, calls: [expect.any(String)] });
  expect(exclusionToConfirm(messages, called, called)?.calls).toHaveLength(2);
});

it('names all calls of a turn for the row that opens it', () => {
  expect(exclusionToConfirm(messages, asked, asked)).toMatchObject({ isTurn: true, calls: { length: 2 } });
});

it('names nothing for a reply without calls, and has no answer for what cannot be excluded', () => {
  expect(exclusionToConfirm(messages, read, read)).toEqual({ isTurn: false, calls: [] });
  expect(exclusionToConfirm(messages, live, live)).toBeNull();
});
