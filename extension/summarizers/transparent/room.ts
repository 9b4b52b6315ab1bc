import type { CountTokens } from '../../engine/conversation/tokens';

/** The tokens that a block may still take. Lines are added while they fit. */
export class Room {
  #left: number;

  constructor(
    tokens: number,
    readonly countTokens: CountTokens,
  ) {
    this.#left = tokens;
  }

  get left(): number {
    return this.#left;
  }

  /** Takes the room of these lines if there is enough. */
  take(lines: readonly string[]): boolean {
    const tokens = this.tokensOf(lines);
    if (tokens > this.#left) return false;
    this.#left -= tokens;
    return true;
  }

  /** Takes the room of these lines, or of as many of the last as fit, and returns them. */
  takeLast(lines: readonly string[]): string[] {
    if (lines.length === 0 || this.take(lines)) return [...lines];
    const taken: string[] = [];
    for (const line of lines.toReversed()) {
      if (!this.take([line])) break;
      taken.unshift(line);
    }
    return taken;
  }

  tokensOf(lines: readonly string[]): number {
    return this.countTokens(`${lines.join('\n')}\n`);
  }

  /** A share of what is left, as a room of its own. `giveBack` returns what it does not use. */
  share(share: number): Room {
    const tokens = Math.floor(this.#left * share);
    this.#left -= tokens;
    return new Room(tokens, this.countTokens);
  }

  /**
   * Reserves room for these lines plus `more` tokens, for lines whose end is not known yet. Null if there is not
   * enough.
   */
  reserve(lines: readonly string[], more: number): Room | null {
    const tokens = this.tokensOf(lines) + more;
    if (tokens > this.#left) return null;
    this.#left -= tokens;
    return new Room(tokens, this.countTokens);
  }

  giveTo(other: Room): void {
    other.giveBack(this);
    this.#left = 0;
  }

  giveBack({ left }: Room): void {
    this.#left += left;
  }
}
