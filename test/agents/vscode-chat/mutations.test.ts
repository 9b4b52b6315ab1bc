import { describe, expect, it } from 'vitest';
import { mutate } from '../../../extension/agents/vscode-chat/format/mutations';
import { began, push, remove, set } from './records';

type Line = Readonly<Record<string, unknown>>;

/** The state after the lines, and the messages of refused changes. */
function changed(...lines: readonly Line[]): { state: unknown; refused: string[] } {
  let state: Line | null = null;
  const refused: string[] = [];
  for (const line of lines) {
    const mutation = mutate(state, line);
    if (mutation.kind === 'began') state = mutation.state;
    if (mutation.kind === 'refused') refused.push(String(mutation.message));
  }
  return { state, refused };
}

const start = { kind: 0, v: { title: 'old', list: ['a', 'b', 'c'], inner: { x: 1 } } };

describe('the VS Code chat log of changes', () => {
  it.each([
    ['sets a value', set(['title'], 'new'), { title: 'new' }],
    ['sets a new value', set(['inner', 'y'], 2), { inner: { x: 1, y: 2 } }],
    ['sets an item of a list', set(['list', 1], 'B'), { list: ['a', 'B', 'c'] }],
    ['adds to a list', push(['list'], ['d', 'e']), { list: ['a', 'b', 'c', 'd', 'e'] }],
    ['cuts a list before it adds', push(['list'], ['z'], 1), { list: ['a', 'z'] }],
    ['cuts a list', push(['list'], undefined, 0), { list: [] }],
    ['creates a missing list', push(['inner', 'made'], [1]), { inner: { x: 1, made: [1] } }],
    ['sets a removed list item to null', remove(['list', 0]), { list: [null, 'b', 'c'] }],
    ['replaces the whole state', { kind: 0, v: { fresh: true } }, { fresh: true }],
  ])('%s', (_what, line, expected) => {
    const { state, refused } = changed(structuredClone(start), line);
    expect(refused).toEqual([]);
    expect(state).toMatchObject(expected);
  });

  it('removes a value', () => {
    expect(changed(structuredClone(start), remove(['title'])).state).not.toHaveProperty('title');
  });

  it.each([
    ['a path through a missing value', set(['gone', 'x'], 1), /is not in the chat \(gone\.x\)/],
    ['a path through a text', set(['title', 'length'], 1), /is not in the chat/],
    ['a path through a prototype', set(['constructor', 'prototype', 'polluted'], 1), /is not in the chat/],
    ['a name that is a prototype', set(['__proto__'], { polluted: 1 }), /is not in the chat/],
    ['a property name on a list', set(['list', 'length'], 0), /is not in the chat/],
    ['an index far beyond the end of a list', set(['list', 4_000_000_000], 1), /is not in the chat/],
    ['an index that is not an integer', set(['list', 0.5], 1), /has no valid path/],
    ['no path', { kind: 1, v: 1 }, /has no valid path/],
    ['an empty path', set([], 1), /has no valid path/],
    ['an append to a value that is not a list', push(['title'], ['x']), /not a list \(title\)/],
    ['a cut beyond the end of a list', push(['list'], ['x'], 4), /beyond its end/],
    ['a cut that is not a number', { ...push(['list'], ['x']), i: 'x' }, /beyond its end/],
    ['an unknown kind of change', { kind: 9, k: ['title'] }, /unknown kind \(9\)/],
    ['a state that is not an object', { kind: 0, v: [] }, /not contain a chat state/],
  ])('refuses %s and changes nothing', (_what, line, message) => {
    const { state, refused } = changed(structuredClone(start), line);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(message);
    expect(state).toEqual(start.v);
    expect({}).not.toHaveProperty('polluted');
  });

  it('refuses changes before the first state', () => {
    expect(changed(set(['title'], 'x'), began()).refused).toEqual([
      'This change precedes the first state of the chat and was left out',
    ]);
  });

  it('refuses a number as a property name, and allocates nothing', () => {
    const { state, refused } = changed(start, set(['inner', 4_000_000_000], 'x'));
    expect(refused).toHaveLength(1);
    expect(state).toEqual(start.v);
  });
});
