import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { animatedWebp } from '../editor/moving-pictures/animated-webp';
import { root } from './pages';

/** Name and content of each chunk of a WebP file. */
function chunksOf(file: Buffer, from = 12): [name: string, content: Buffer][] {
  if (from >= file.length) return [];
  const size = file.readUInt32LE(from + 4);
  const content = file.subarray(from + 8, from + 8 + size);
  return [[file.toString('latin1', from, from + 4), content], ...chunksOf(file, from + 8 + size + (size % 2))];
}

/** A still picture of one pixel, as a browser encodes it without loss. */
const still = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

const frame = { webp: still, x: 0, y: 0, width: 1, height: 1, durationMs: 50 };

describe('an animated picture', () => {
  it('has its size, and each frame with its place and its time', () => {
    const file = animatedWebp({ width: 1120, height: 680 }, [frame, { ...frame, x: 20, y: 40, durationMs: 2400 }]);
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    const [header, animation, first, second] = chunksOf(file);
    expect([header?.[0], animation?.[0], first?.[0], second?.[0]]).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
    expect([header?.[1].readUIntLE(4, 3), header?.[1].readUIntLE(7, 3)]).toEqual([1119, 679]);
    const numbers = [0, 3, 6, 9, 12].map((at) => second?.[1].readUIntLE(at, 3));
    expect(numbers).toEqual([10, 20, 0, 0, 2400]);
    expect(chunksOf(second?.[1] ?? Buffer.alloc(0), 16)).toEqual(chunksOf(still));
  });

  it('is not made from a file that is not a picture', () => {
    expect(() => animatedWebp({ width: 1, height: 1 }, [{ ...frame, webp: Buffer.from('<html></html>') }])).toThrow(
      /no still WebP/,
    );
  });
});

describe.each(['see', 'compact', 'undo', 'pin'])('the moving picture "%s"', (name) => {
  const file = join(root, 'docs/screenshots', `${name}.webp`);

  it('moves, for long enough to follow it', () => {
    const frames = chunksOf(readFileSync(file)).filter(([kind]) => kind === 'ANMF');
    const seconds = frames.reduce((total, [, content]) => total + content.readUIntLE(12, 3), 0) / 1000;
    expect(frames.length).toBeGreaterThan(10);
    expect(seconds).toBeGreaterThan(5);
  });

  it('is small enough for a page', () => {
    expect(statSync(file).size).toBeLessThan(1_500_000);
  });
});
