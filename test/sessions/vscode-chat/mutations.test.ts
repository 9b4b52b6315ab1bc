import { describe, expect, it } from 'vitest';
import { mutate } from '../../../extension/sessions/vscode-chat/mutations';
import { began, push, remove, set } from './records';

type Line = Readonly<Record<string, unknown>>;

/** The state after the lines, and what was refused of them. */
function changed(...lines: readonly Line[]): { state: unknown; refused: string[] } {
  let state: Line | null = null;
  const refused: string[] = [];
  for (const line of lines) {
    const mutation = mutate(state, line);
    if (mutation.kind === 'began') state = mutation.state;
    if (mutation.kind === 'refused') refused.push(mutation.message);
  }
  return { state, refused };
}

const start = { kind: 0, v: { title: 'old', list: ['a', 'b', 'c'], inner: { x: 1 } } };

describe('the log of changes', () => {
  it.each([
    ['sets a value', set(['title'], 'new'), { title: 'new' }],
    ['sets a value that was not there', set(['inner', 'y'], 2), { inner: { x: 1, y: 2 } }],
    ['sets an item of a list', set(['list', 1], 'B'), { list: ['a', 'B', 'c'] }],
    ['adds to a list', push(['list'], ['d', 'e']), { list: ['a', 'b', 'c', 'd', 'e'] }],
    ['cuts a list before it adds', push(['list'], ['z'], 1), { list: ['a', 'z'] }],
    ['cuts a list', push(['list'], undefined, 0), { list: [] }],
    ['makes a list where there is none', push(['inner', 'made'], [1]), { inner: { x: 1, made: [1] } }],
    ['empties the place of a list item', remove(['list', 0]), { list: [null, 'b', 'c'] }],
    ['begins anew', { kind: 0, v: { fresh: true } }, { fresh: true }],
  ])('%s', (_what, line, expected) => {
    const { state, refused } = changed(structuredClone(start), line);
    expect(refused).toEqual([]);
    expect(state).toMatchObject(expected);
  });

  it('takes a value away', () => {
    expect(changed(structuredClone(start), remove(['title'])).state).not.toHaveProperty('title');
  });

  it.each([
    ['a path through what is not there', set(['gone', 'x'], 1), /is not in the chat \(gone\.x\)/],
    ['a path through a text', set(['title', 'length'], 1), /is not in the chat/],
    ['a path through a prototype', set(['constructor', 'prototype', 'polluted'], 1), /is not in the chat/],
    ['a name that is a prototype', set(['__proto__'], { polluted: 1 }), /is not in the chat/],
    ['a name for an item of a list', set(['list', 'length'], 0), /is not in the chat/],
    ['an index far behind a list', set(['list', 4_000_000_000], 1), /is not in the chat/],
    ['an index that is no whole number', set(['list', 0.5], 1), /names no place/],
    ['no path', { kind: 1, v: 1 }, /names no place/],
    ['an empty path', set([], 1), /names no place/],
    ['more for what is no list', push(['title'], ['x']), /no list \(title\)/],
    ['a cut behind the end of a list', push(['list'], ['x'], 4), /where it does not reach/],
    ['a cut that is no number', { ...push(['list'], ['x']), i: 'x' }, /where it does not reach/],
    ['a kind of a later version', { kind: 9, k: ['title'] }, /does not know \(9\)/],
    ['no state', { kind: 0, v: [] }, /no state of a chat/],
  ])('refuses %s and changes nothing', (_what, line, message) => {
    const { state, refused } = changed(structuredClone(start), line);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(message);
    expect(state).toEqual(start.v);
    expect({}).not.toHaveProperty('polluted');
  });

  it('refuses changes before there is anything to change', () => {
    expect(changed(set(['title'], 'x'), began()).refused).toEqual([
      'This change stands before the first state of the chat and was left out',
    ]);
  });

  it('takes no number for a name, however large: nothing is made room for', () => {
    const { state, refused } = changed(start, set(['inner', 4_000_000_000], 'x'));
    expect(refused).toHaveLength(1);
    expect(state).toEqual(start.v);
  });
});
