import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonItems } from '../../../extension/platform/json/json-items';
import { parsedJson } from '../../../extension/platform/json/json-text';

describe('the items of a list in a JSON text', () => {
  it('are its objects and lists, each with its text, its value and the line where it starts', () => {
    const item = fc.oneof(fc.jsonValue(), fc.constantFrom({ text: 'a "quoted\\" [brace{ \n' }, [['[']], '":', '{'));
    fc.assert(
      fc.property(fc.array(item), fc.nat(2), fc.jsonValue(), (list, indent, before) => {
        const root = { before, list };
        const text = JSON.stringify(root, null, indent);
        const items = jsonItems(text, 'list', JSON.parse(text));
        const containers = list.filter((value) => typeof value === 'object' && value !== null);
        expect(items.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(containers)));
        for (const { text: itemText, value, line } of items) {
          expect(JSON.parse(itemText)).toEqual(value);
          const lines = text.split('\n');
          if (indent > 0) expect(lines[line - 1]?.trim()).toMatch(/^[[{]/);
          expect(lines.slice(line - 1).join('\n')).toContain(itemText);
        }
      }),
    );
  });

  it('are those of both lists if the name occurs twice', () => {
    const text = '{"list":[{"a":1},2,[3]],"list":[{"b":4}]}';
    expect(jsonItems(text, 'list', JSON.parse(text))).toEqual([
      { line: 1, text: '{"a":1}', value: { a: 1 } },
      { line: 1, text: '[3]', value: [3] },
      { line: 1, text: '{"b":4}', value: { b: 4 } },
    ]);
  });

  it('are those of a text that is a list itself', () => {
    const text = '[{"a":1},\n{"b":[2]}]';
    expect(jsonItems(text, '', JSON.parse(text)).map(({ line, value }) => [line, value])).toEqual([
      [1, { a: 1 }],
      [2, { b: [2] }],
    ]);
  });
});

describe('a text that may be JSON', () => {
  it('has the value that JSON.parse gives it, or none', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r', '\u00a0', '\ufeff'), maxLength: 3 });
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('', 'true', 'false', 'null', 'nul', '-1', '+1', '.5'),
    );
    fc.assert(
      fc.property(space, text, (before, rest) => {
        const whole = before + rest;
        expect(parsedJson(whole)).toEqual(parsed(whole));
      }),
    );
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
