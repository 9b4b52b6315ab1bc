import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../extension/engine/conversation/long-work';
import { bodyOf } from '../../../extension/middleware/wire/request-reader';
import { parsedJson } from '../../../extension/platform/json/json-text';
import { isRecord } from '../../../extension/platform/json/schemas';

const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }));

const texts = fc
  .tuple(objects, fc.constantFrom('', ' ', '\t', '\r\n'))
  .map(([object, indent]) => JSON.stringify(object, null, indent));

/** Characters that JSON consists of, and others. */
const characters = fc.constantFrom(...'{}[]":,\\ \n\t0-1.e"ntrue', '\u00a0', '\ufeff', '"a":', '[1]', '{}', '');

const damaged = fc
  .tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat(3), characters), { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((before, [place, gone, added]) => {
      const at = place % (before.length + 1);
      return before.slice(0, at) + added + before.slice(at + gone);
    }, text),
  );

/** The body as JavaScript's own parser reads it; undefined if it is not an object. */
function expected(text: string): unknown {
  const value = parsedJson(text);
  return isRecord(value) ? value : undefined;
}

function read(text: string): unknown {
  const reading = atOnce(bodyOf(text));
  return reading.kind === 'body' ? reading.body : undefined;
}

describe('a body that is read element by element', () => {
  it('is the object that JSON.parse makes of it', () =>
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(text)).toEqual(expected(text));
      }),
      { numRuns: 300 },
    ));

  it('is refused exactly if JSON.parse refuses it or gives no object', () =>
    fc.assert(
      fc.property(damaged, (text) => {
        expect(read(text)).toEqual(expected(text));
      }),
      { numRuns: 3000 },
    ));

  it.each([
    '',
    '{',
    '{}x',
    '{"a":1,}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":[1 2]}',
    '{"a" 1}',
    '{"a":}',
    '{a:1}',
    '{"a":"\\"}',
    '{"a":[{]}',
    '{"a":[}]}',
    '[]',
    'null',
    '{"a":1\u00a0}',
  ])('is refused if it is %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it.each(['{}', ' { } ', '{"__proto__":{"a":1}}', '{"a":[],"a":[[]],"b":"\\\\"}', '{"a":[ "]" , "\\"," ]}'])(
    'is read where it is %j',
    (text) => {
      expect(read(text)).toEqual(JSON.parse(text));
    },
  );
});
