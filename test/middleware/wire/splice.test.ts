import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listWith, membersOf } from '../../../extension/middleware/wire/json-text';

describe('the properties of a JSON object', () => {
  it('the properties of a JSON object are found at their text, whatever their content', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
        fc.constantFrom('', ' ', '\t'),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          const parsed = new Map(Object.entries(JSON.parse(text)));
          const members = membersOf(text);
          expect([...members.keys()].sort()).toEqual([...parsed.keys()].sort());
          for (const [name, { nameStart, value, elements }] of members) {
            const inner = parsed.get(name);
            expect(JSON.parse(text.slice(value.start, value.end))).toEqual(inner);
            expect(elements.map(({ start, end }) => JSON.parse(text.slice(start, end)))).toEqual(
              Array.isArray(inner) ? inner : [],
            );
            expect(text.slice(nameStart).startsWith(JSON.stringify(name))).toBe(true);
          }
        },
      ),
    ));

  it('the properties of a JSON object are the last of one name, as for JSON.parse', () => {
    const text = '{"a":[1],"\\u0061" : [2, 3] }';
    const member = membersOf(text).get('a');
    expect(member?.elements.map(({ start, end }) => text.slice(start, end))).toEqual(['2', '3']);
  });
});

describe('a list with other elements', () => {
  const change = (text: string, pieces: (number | string)[]) => {
    const member = membersOf(text).get('a');
    if (!member) throw new Error('There is no list');
    return listWith(
      text,
      member,
      pieces.map((piece) =>
        typeof piece === 'number' ? { kind: 'kept', index: piece } : { kind: 'new', text: piece },
      ),
    );
  };

  it('keeps the characters of those that stay, and the spaces around them', () => {
    const text = '{"a": [\n  1.0,\n  {"b" : 2},\n  3\n] }';
    expect(change(text, [0, 1, 2])).toBe('[\n  1.0,\n  {"b" : 2},\n  3\n]');
    expect(change(text, ['"new"', 1, 2])).toBe('[\n  "new",\n  {"b" : 2},\n  3\n]');
    expect(change(text, [1, '"new"'])).toBe('[\n  {"b" : 2},"new"\n]');
    expect(change(text, [2, 0])).toBe('[\n  3,1.0\n]');
    expect(change(text, [])).toBe('[\n  \n]');
  });

  it('may have been empty', () => {
    expect(change('{"a":[ ]}', ['1', '2'])).toBe('[1,2]');
  });
});
