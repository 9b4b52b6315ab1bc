import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArrivingBody } from '../../extension/gateway/arriving-body';
import { BodyBytes } from '../../extension/middleware/wire/body-bytes';

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bodyOf(...parts: readonly string[]): BodyBytes {
  return new BodyBytes(parts.map(bytesOf));
}

function textOf(body: BodyBytes): string {
  return new TextDecoder().decode(body.between(0));
}

function arrived(chunks: readonly string[], known: readonly BodyBytes[] = []): BodyBytes {
  const body = new ArrivingBody(chunks.join('').length, known);
  for (const chunk of chunks) body.add(Buffer.from(chunk));
  return body.received();
}

/** The bytes of a body that a known one has too, in the same memory. */
function sharedWith(known: BodyBytes, body: BodyBytes): string {
  const memory = new Set(known.parts.map(({ buffer }) => buffer));
  return textOf(new BodyBytes(body.parts.filter(({ buffer }) => memory.has(buffer))));
}

describe('a body that arrives', () => {
  it('has the memory of a known body for the bytes that both begin with', () => {
    const known = bodyOf('one two three four]');
    const body = arrived(['one two', ' three four,', ' five]'], [known]);
    expect(textOf(body)).toBe('one two three four, five]');
    expect(sharedWith(known, body)).toBe('one two three four');
  });

  it('may differ from a known body in the middle of a chunk', () => {
    const known = bodyOf('one two three four five');
    const body = arrived(['one two thr', 'ee 4'], [known]);
    expect([textOf(body), sharedWith(known, body)]).toEqual(['one two three 4', 'one two three ']);
  });

  it('follows the known body with which it has most in common', () => {
    const [short, long] = [bodyOf('one two 3 four five six'), bodyOf('one two three four five 6')];
    const body = arrived(['one ', 'two three', ' four five six'], [short, long]);
    expect(textOf(body)).toBe('one two three four five six');
    expect([sharedWith(short, body), sharedWith(long, body)]).toEqual(['', 'one two three four five ']);
  });

  it('may be the beginning of a known body, or all of it', () => {
    const known = bodyOf('one two three');
    for (const text of ['one two', 'one two three']) {
      const body = arrived([text], [known]);
      expect([textOf(body), sharedWith(known, body)]).toEqual([text, text]);
    }
  });

  it('shares nothing with a body that begins differently', () => {
    const known = bodyOf('one two three');
    const body = arrived(['two three'], [known]);
    expect([textOf(body), sharedWith(known, body)]).toEqual(['two three', '']);
  });

  it('does not change the known body', () => {
    const known = bodyOf('one two', ' three');
    arrived(['one two th', 'em'], [known]);
    expect(textOf(known)).toBe('one two three');
  });

  it('may be shorter than announced', () => {
    const body = new ArrivingBody(1_000, [bodyOf('one two three')]);
    body.add(Buffer.from('one two 3'));
    expect(textOf(body.received())).toBe('one two 3');
  });

  it('has the same bytes however it is cut into chunks, and whatever is known', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 });
    const cuts = fc.array(fc.nat(30), { maxLength: 5 });
    fc.assert(
      fc.property(text, cuts, fc.array(fc.tuple(text, cuts), { maxLength: 3 }), (whole, at, others) => {
        const known = others.map(([other, cut]) => bodyOf(...piecesOf(other, cut)));
        const body = arrived(piecesOf(whole, at), known);
        expect(textOf(body)).toBe(whole);
        for (const [index, [other]] of others.entries()) {
          const plain = [...whole, ''].findIndex((character, place) => character !== other[place]);
          expect(body.commonLength(known[index] as BodyBytes)).toBe(Math.min(plain, other.length));
        }
      }),
    );
  });
});

function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set([0, ...cuts.filter((cut) => cut < text.length)])].sort((a, b) => a - b);
  return places.map((start, index) => text.slice(start, places[index + 1]));
}
