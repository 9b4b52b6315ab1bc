import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineAssembler } from '../../../extension/platform/lines/line-assembler';

function assembled(
  chunks: readonly Buffer[],
  longest?: number,
): { lines: string[]; faults: number[]; pending: string } {
  const assembler = new LineAssembler(longest);
  const outcomes = chunks.map((chunk) => assembler.push(Buffer.from(chunk)));
  return {
    lines: outcomes.flatMap((outcome) => outcome.lines.map((line) => line.text)),
    faults: outcomes.flatMap((outcome) => outcome.faults.map((fault) => fault.line)),
    pending: assembler.pendingText,
  };
}

describe('lines out of bytes', () => {
  it('takes them whole, without their ends', () => {
    expect(assembled([Buffer.from('one\r\ntwo\n\nthree')])).toEqual({
      lines: ['one', 'two', ''],
      faults: [],
      pending: 'three',
    });
  });

  it('puts a character together that was split between chunks', () => {
    const bytes = Buffer.from('é🙂\n');
    expect(assembled([bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4)]).lines).toEqual(['é🙂']);
  });

  it('drops the mark at the start of a file, and only there', () => {
    expect(assembled([Buffer.from('\uFEFFone\n\uFEFFtwo\n')]).lines).toEqual(['one', '\uFEFFtwo']);
  });

  it('says which line is not UTF-8, and which is longer than a string may be', () => {
    expect(assembled([Buffer.from([0x61, 0xff, 0x0a])])).toMatchObject({ lines: ['a\uFFFD'], faults: [1] });
    expect(assembled([Buffer.from('12345'), Buffer.from('6\nok\n')], 5)).toMatchObject({ lines: ['ok'], faults: [1] });
    expect(assembled([Buffer.from('ok\n123456\nok\n')], 5)).toMatchObject({ lines: ['ok', 'ok'], faults: [2] });
  });

  it('names only the damaged line of a chunk', () => {
    const bytes = Buffer.concat([Buffer.from('é\n'), Buffer.from([0x61, 0xff, 0x0a]), Buffer.from('🙂\n')]);
    expect(assembled([bytes])).toMatchObject({ lines: ['é', 'a\uFFFD', '🙂'], faults: [2] });
  });

  it('gives the same lines wherever the bytes are split', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '🙂', '\n', '\r\n') }),
        fc.array(fc.nat(40)),
        (text, cuts) => {
          const bytes = Buffer.from(text);
          expect(assembled(split(bytes, cuts))).toEqual(assembled([bytes]));
        },
      ),
    );
  });
});

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...new Set([...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort(
    (one, other) => one - other,
  );
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}
