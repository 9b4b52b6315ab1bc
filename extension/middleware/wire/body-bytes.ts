type Bytes = Uint8Array<ArrayBuffer>;

/** A part is joined with the one before it unless that one is longer by this factor, so a body has few parts. */
const shrinking = 2;

/** A part of a body is copied if it uses less than this share of its memory. */
const leastUse = 0.5;

/** The bytes of a body, in parts. Bodies that begin with the same bytes share parts. */
export class BodyBytes {
  readonly length: number;

  constructor(readonly parts: readonly Bytes[]) {
    this.length = lengthOf(parts);
  }

  /** A body that stays in memory for long. */
  static stored(parts: readonly Bytes[]): BodyBytes {
    const stored: Bytes[] = [];
    for (const part of parts) {
      if (part.length === 0) continue;
      let last = part.length < part.buffer.byteLength * leastUse ? new Uint8Array(part) : part;
      for (let before = stored.at(-1); before && before.length < last.length * shrinking; before = stored.at(-1)) {
        stored.pop();
        last = joined([before, last]);
      }
      stored.push(last);
    }
    return new BodyBytes(stored);
  }

  at(offset: number): number | undefined {
    let at = offset;
    for (const part of this.parts) {
      if (at < part.length) return part[at];
      at -= part.length;
    }
    return undefined;
  }

  /** Copies nothing. */
  slices(start: number, end = this.length): Bytes[] {
    let at = 0;
    return this.parts.flatMap((part) => {
      const slice = part.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += part.length;
      return slice.length === 0 ? [] : [slice];
    });
  }

  /** In one piece. Copied if they are in several parts. */
  between(start: number, end = this.length): Bytes {
    return joined(this.slices(start, end));
  }

  /** Number of bytes at the beginning of `bytes` that are here from `offset` on. */
  matching(bytes: Bytes, offset: number): number {
    let count = 0;
    for (const slice of this.slices(offset, offset + bytes.length)) {
      const same = sameLength(slice, bytes.subarray(count, count + slice.length));
      count += same;
      if (same < slice.length) break;
    }
    return count;
  }

  /** Number of bytes that both begin with. Shared parts are not compared. */
  commonLength({ parts }: BodyBytes): number {
    let length = 0;
    for (const part of parts) {
      const same = this.matching(part, length);
      length += same;
      if (same < part.length) break;
    }
    return length;
  }
}

function lengthOf(parts: readonly Bytes[]): number {
  return parts.reduce((total, { length }) => total + length, 0);
}

export function joined(parts: readonly Bytes[]): Bytes {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const bytes = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Numbers of bytes that are compared at once, each until a difference. */
const steps = [65_536, 4_096, 256, 16, 1];

/** `a` and `b`: of the same length. */
function sameLength(a: Bytes, b: Bytes): number {
  if (a.buffer === b.buffer && a.byteOffset === b.byteOffset) return a.length;
  let same = 0;
  for (const step of steps) {
    while (same < a.length && isSame(a.subarray(same, same + step), b.subarray(same, same + step)))
      same = Math.min(a.length, same + step);
  }
  return same;
}

/** The part of Node's buffers that compares many bytes at once. Source: https://nodejs.org/api/buffer.html */
interface Buffers {
  compare(a: Uint8Array, b: Uint8Array): number;
}

const { Buffer: buffers } = globalThis as { readonly Buffer?: Buffers };

function isSame(a: Bytes, b: Bytes): boolean {
  return buffers ? buffers.compare(a, b) === 0 : a.every((byte, index) => byte === b[index]);
}
