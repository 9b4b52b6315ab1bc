/** One picture of an animation, its position, and how long it is shown. */
export interface Frame {
  /** A whole WebP file. */
  readonly webp: Buffer;
  /** Even numbers, because the format stores half of each coordinate. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const animationFlag = 0x02;

/** Replaces what is below it, and stays. */
const replacing = 0x02;

/** An animated WebP that repeats forever: https://developers.google.com/speed/webp/docs/riff_container */
export function animatedWebp({ width, height }: Size, frames: readonly Frame[]): Buffer {
  const header = Buffer.from([animationFlag, 0, 0, 0, ...threeBytes(width - 1), ...threeBytes(height - 1)]);
  const background = 4;
  const repeats = 2;
  const chunks = [chunk('VP8X', header), chunk('ANIM', Buffer.alloc(background + repeats)), ...frames.map(frameChunk)];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

function frameChunk({ webp, x, y, width, height, durationMs }: Frame): Buffer {
  const numbers = [x / 2, y / 2, width - 1, height - 1, durationMs];
  return chunk('ANMF', Buffer.concat([Buffer.from([...numbers.flatMap(threeBytes), replacing]), imageData(webp)]));
}

/** The chunks with the pixels of a still WebP file. */
function imageData(webp: Buffer): Buffer {
  if (webp.toString('latin1', 8, 12) !== 'WEBP') throw new Error('This is no still WebP picture.');
  const kept: Buffer[] = [];
  for (let at = 12; at < webp.length; ) {
    const size = webp.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (/^(?:ALPH|VP8 |VP8L)$/.test(webp.toString('latin1', at, at + 4))) kept.push(webp.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function chunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

function threeBytes(number: number): number[] {
  return [number & 0xff, (number >> 8) & 0xff, (number >> 16) & 0xff];
}
