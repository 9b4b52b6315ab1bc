import { describe, expect, it } from 'vitest';
import { BodyBytes } from '../../../extension/middleware/wire/body-bytes';

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

describe('the bytes of a body', () => {
  it('are read across its parts', () => {
    const body = new BodyBytes(['one', ' ', 'two'].map(bytesOf));
    expect([body.length, body.at(4), body.at(7)]).toEqual([7, 't'.charCodeAt(0), undefined]);
    expect(body.between(2, 5)).toEqual(bytesOf('e t'));
    expect(body.matching(bytesOf(' twx'), 3)).toBe(3);
  });

  it('are not copied if they are in one part', () => {
    const part = bytesOf('one two');
    const body = new BodyBytes([part, bytesOf('three')]);
    expect(body.between(4, 7).buffer).toBe(part.buffer);
  });

  it('stay in few parts over many requests', () => {
    let body = BodyBytes.stored([new Uint8Array(100_000)]);
    for (let request = 0; request < 1_000; request += 1)
      body = BodyBytes.stored([...body.slices(0, body.length - 10), new Uint8Array(200)]);
    expect(body.length).toBe(100_000 + 1_000 * 190);
    expect(body.parts.length).toBeLessThan(20);
  });

  it('do not keep a large memory of which they use little', () => {
    const large = new Uint8Array(1_000);
    expect(BodyBytes.stored([large.subarray(0, 400)]).parts[0]?.buffer.byteLength).toBe(400);
    expect(BodyBytes.stored([large.subarray(0, 600)]).parts[0]?.buffer).toBe(large.buffer);
  });
});
