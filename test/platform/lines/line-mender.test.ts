import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, readLine } from '../../../extension/platform/lines/line';
import { LineAssembler } from '../../../extension/platform/lines/line-assembler';
import { LineMender } from '../../../extension/platform/lines/line-mender';

/** The records of these lines, and `…` for text that could not be read. */
function read(lines: readonly Line[]): unknown[] {
  return lines.map((line) => {
    const reading = readLine(line);
    return reading.kind === 'record' ? reading.record : '…';
  });
}

function mended(...texts: readonly string[]): unknown[] {
  const lines = texts.map((text, index) => ({ number: index + 1, text }));
  return read(new LineMender().take({ lines, faults: [] }).lines);
}

describe('a mender of lines', () => {
  it.each([
    ['a torn write before a record', ['{"a":1,"b":"x{"a":2}'], ['…', { a: 2 }]],
    ['a torn write behind a record', ['{"a":1}{"a":2,"b'], [{ a: 1 }, '…']],
    ['records with white space between them', ['{"a":1} {"a":2}\t{"a":3}'], [{ a: 1 }, { a: 2 }, { a: 3 }]],
    ['a torn write between two records', ['{"a":1}{"a":2,"b":"{"a":3}'], [{ a: 1 }, '…', { a: 3 }]],
    ['records around zero bytes', ['{"a":1}\0\0\0{"a":2}'], [{ a: 1 }, { a: 2 }]],
    ['a torn write that ends with an object inside it', ['{"a":1}', '{"a":1,"b":{"c":2}'], [{ a: 1 }, '…']],
    ['a text on three lines', ['{"a":"x', '', 'y"}', '{"a":1}'], [{ a: 'x\n\ny' }, { a: 1 }]],
    ['two texts with line breaks', ['{"a":"x', 'y","b":"', 'z"}'], [{ a: 'x\ny', b: '\nz' }]],
    ['a quotation in a text with line breaks', ['{"a":"x', 'say \\"y\\"', 'z"}'], [{ a: 'x\nsay "y"\nz' }]],
    ['a torn text before a record', ['{"a":"x', '{"a":1}'], ['…', { a: 1 }]],
    ['a torn text before other lines', ['{"a":"x', 'y" z', '{"a":1}'], ['…', '…', { a: 1 }]],
    ['pretty-printed JSON', ['{', '  "a": {"b": 1},', '  "c": [{}]', '}'], ['…', '…', '…', '…']],
  ])('reads %s', (_what, texts, expected) => {
    expect(mended(...texts)).toEqual(expected);
  });

  it('leaves lines with one record each as they are', () => {
    const records = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }));
    fc.assert(
      fc.property(records, (list) => {
        const texts = list.map((record) => JSON.stringify(record));
        expect(mended(...texts)).toEqual(texts.map((text) => JSON.parse(text)));
      }),
    );
  });

  it('finds the same in whatever pieces a broken file comes', () => {
    const piece = fc.constantFrom('{"a":"x', 'y', '"}', '{"a":1}', '\n', '\0\0', '{"a":{"b":2}', '"', '\\"', ' ');
    fc.assert(
      fc.property(fc.array(piece), fc.nat({ max: 5 }), (pieces, size) => {
        const bytes = Buffer.from(`${pieces.join('')}\n`);
        const inPieces = new LineAssembler();
        const mender = new LineMender();
        const found: Line[] = [];
        for (let at = 0; at < bytes.length; at += size + 1)
          found.push(...mender.take(inPieces.push(bytes.subarray(at, at + size + 1))).lines);
        const whole = new LineMender().take(new LineAssembler().push(bytes));
        expect(read(found)).toEqual(read(whole.lines));
      }),
    );
  });

  it('takes a last line that lacks its line break only if a whole record ends it', () => {
    const mender = new LineMender();
    mender.take({ lines: [{ number: 1, text: '{"a":"x' }], faults: [] });
    expect(mender.takeLast({ number: 2, text: 'y' })).toBeNull();
    expect(mender.begun.map(({ number }) => number)).toEqual([1]);
    const last = mender.takeLast({ number: 2, text: 'y"}' });
    expect(read(last?.lines ?? [])).toEqual([{ a: 'x\ny' }]);
    expect(mender.begun).toEqual([]);
  });

  it.each(['{"a":', '{"a":[{"b":1}]},', '{"', '{"a":"'])('takes a moment for a megabyte of %s', (piece) => {
    const start = performance.now();
    mended(piece.repeat(1_000_000 / piece.length));
    // Less than a second on an idle machine; at quadratic cost it would take minutes.
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
