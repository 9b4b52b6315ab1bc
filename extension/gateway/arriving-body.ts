import { BodyBytes } from '../middleware/wire/body-bytes';

type Bytes = Uint8Array<ArrayBuffer>;

/** Initial memory for a body with a known length, before its bytes arrive. */
const firstBytes = 1024 * 1024;

/** The factor by which a full buffer grows, at most to the announced length. Each time, all of it is copied. */
const growth = 8;

/**
 * A body while it arrives. As long as a known body begins with the same bytes, they are only compared with it: most requests repeat
 * the one before, and copies of long bodies would fill the memory with garbage.
 */
export class ArrivingBody {
  #size = 0;
  /** Known bodies that begin with all bytes so far. */
  #known: readonly BodyBytes[];
  /** The shared beginning, once it has ended. */
  #beginning: BodyBytes['parts'] = [];
  #rest: GrowingBody | null = null;

  /** `expected`: maximum number of bytes. */
  constructor(
    private readonly expected: number,
    known: readonly BodyBytes[] = [],
  ) {
    this.#known = known;
  }

  get size(): number {
    return this.#size;
  }

  add(chunk: Bytes): void {
    const shared = this.#shared(chunk);
    this.#size += shared;
    if (shared === chunk.length) return;
    this.#rest ??= this.#leave();
    this.#rest.add(chunk.subarray(shared));
    this.#size += chunk.length - shared;
  }

  /** The bytes so far. Called once. */
  received(): BodyBytes {
    this.#rest ??= this.#leave();
    return BodyBytes.stored([...this.#beginning, this.#rest.bytes]);
  }

  /** Number of bytes of this chunk that a known body continues with. */
  #shared(chunk: Bytes): number {
    const lengths = this.#known.map((known) => known.matching(chunk, this.#size));
    const most = Math.max(0, ...lengths);
    this.#known = this.#known.filter((_, at) => lengths[at] === most);
    return most;
  }

  #leave(): GrowingBody {
    this.#beginning = this.#known[0]?.slices(0, this.#size) ?? [];
    this.#known = [];
    return new GrowingBody(this.expected - this.#size);
  }
}

/** Bytes in separate memory, because Node's buffers may share theirs. It grows with the received bytes, not with the announced length. */
class GrowingBody {
  #memory: Buffer<ArrayBuffer>;
  #size = 0;

  constructor(private readonly expected: number) {
    this.#memory = Buffer.allocUnsafeSlow(Math.min(expected, firstBytes));
  }

  get bytes(): Bytes {
    return this.#memory.subarray(0, this.#size);
  }

  add(chunk: Bytes): void {
    const size = this.#size + chunk.length;
    if (size > this.#memory.length) this.#grow(size);
    this.#memory.set(chunk, this.#size);
    this.#size = size;
  }

  #grow(size: number): void {
    const memory = Buffer.allocUnsafeSlow(Math.max(size, Math.min(this.expected, this.#memory.length * growth)));
    this.#memory.copy(memory, 0, 0, this.#size);
    this.#memory = memory;
  }
}
