import type { RequestIdentity } from '../requests/recording';
import type { BodyBytes } from './body-bytes';
import type { BodyShape } from './protocol';
import type { Continuing, KnownBody } from './request-reader';

/** Maximum size of all remembered bodies, including what was read from them. */
const mostBytes = 128 * 1024 * 1024;

/** In milliseconds. A body that was unused for longer is forgotten when the next body arrives: most such conversations have ended. */
const longestRestMs = 5 * 60_000;

/** Memory of what was read of a message besides its text, in bytes. */
const bytesOfMessage = 500;

/** The newest messages of a request may come back changed: clients move cache control marks, or leave out a reminder. */
const changingMessages = 6;

/** Bytes before the end of a message by which a known beginning is looked up. */
const windowLength = 64;

/** Number of bodies that are compared to their end for one request. */
const mostCompared = 4;

/**
 * The newest body of each conversation, so that only the end of the next one is read. An equal body of another scope or key
 * shares nothing with it. Measured on two busy cores: 10,000 messages take 149 ms to read as a whole and 1 ms from where the
 * body before ended; 20 MB in 200 messages take 303 ms and 2 ms.
 */
export class FollowedBodies {
  /** Each with its place, and when it came. Ordered by use, newest last. */
  readonly #known = new Map<KnownBody, { readonly place: string; readonly at: number }>();
  readonly #places = new Map<string, Set<KnownBody>>();
  #bytes = 0;

  constructor(
    private readonly most = mostBytes,
    /** Milliseconds. */
    private readonly now = () => performance.now(),
  ) {}

  /** The known body with the same beginning. It is removed: the caller adds the longer one. */
  take(identity: RequestIdentity, shape: BodyShape, bytes: BodyBytes): Continuing | null {
    let compared = 0;
    for (const known of [...(this.#places.get(placeOf(identity)) ?? [])].reverse()) {
      if (known.shape !== shape || !mayBegin(known, bytes)) continue;
      compared += 1;
      const groups = commonGroups(known, bytes);
      if (groups > 0) return this.#taken(known, groups);
      if (compared === mostCompared) break;
    }
    return null;
  }

  /** Bodies that a body of this length may continue: those of at least half its length. */
  longEnough(identity: RequestIdentity, length: number): BodyBytes[] {
    const bodies = [...(this.#places.get(placeOf(identity)) ?? [])].map(({ bytes }) => bytes);
    return bodies.filter((body) => body.length >= length / 2);
  }

  add(identity: RequestIdentity, known: KnownBody): void {
    const place = placeOf(identity);
    this.#places.set(place, (this.#places.get(place) ?? new Set()).add(known));
    const now = this.now();
    this.#known.set(known, { place, at: now });
    this.#bytes += sizeOf(known);
    for (const [oldest, { at }] of this.#known) {
      if (this.#bytes <= this.most && now - at <= longestRestMs) break;
      this.#remove(oldest);
    }
  }

  /** A body that branches off leaves the known one to its own continuation. */
  #taken(known: KnownBody, groups: number): Continuing {
    if (groups < known.groups.length) return { known: { ...known, calls: known.calls.copy() }, groups };
    this.#remove(known);
    return { known, groups };
  }

  #remove(known: KnownBody): void {
    const { place } = this.#known.get(known) ?? {};
    if (place === undefined) return;
    this.#known.delete(known);
    this.#bytes -= sizeOf(known);
    const others = this.#places.get(place);
    others?.delete(known);
    if (others?.size === 0) this.#places.delete(place);
  }
}

/** Estimated memory of the bytes, of the texts, which the conversation may share, and of what was made from them. */
function sizeOf({ bytes, ends }: KnownBody): number {
  return 2 * bytes.length + ends.length * bytesOfMessage;
}

/** Key of the bodies that may continue each other. */
function placeOf({ scope, conversation }: RequestIdentity): string {
  return JSON.stringify([scope ?? null, conversation ?? null]);
}

/** Compares a few bytes in which conversations of one agent differ. */
function mayBegin({ bytes: before, ends }: KnownBody, bytes: BodyBytes): boolean {
  const end = ends[Math.max(0, ends.length - 1 - changingMessages)] ?? 0;
  const start = Math.max(0, end - windowLength);
  return bytes.matching(before.between(start, end), start) === end - start;
}

/** The number of groups at the beginning that stay the same whatever follows them. */
function commonGroups({ bytes: before, ends, groups }: KnownBody, bytes: BodyBytes): number {
  const length = bytes.commonLength(before);
  let count = groups.length;
  for (; count > 0; count -= 1) {
    const group = groups[count - 1];
    if (group?.isCut && (ends[group.messages - 1] ?? Number.POSITIVE_INFINITY) <= length) break;
  }
  return count;
}
