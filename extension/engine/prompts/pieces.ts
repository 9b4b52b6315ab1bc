import type { CountTokens } from '../conversation/tokens';
import { escapedForQuotation } from '../language/quotation';
import { excerpt } from './excerpt';

/** What a piece of history is: how long it may be depends on it. */
export type PieceKind = 'mark' | 'person' | 'block' | 'reply' | 'input' | 'result';

/** One stretch of history. The label is the prompt's own; the text is what the session says. */
export interface Piece {
  readonly kind: PieceKind;
  readonly label: string;
  readonly text: string;
}

type Limits = Readonly<Record<PieceKind, number>>;

/** The most UTF-16 units of a piece when there is room. A tool result has the 2,000 that pi gives it. */
const generous: Limits = { mark: 0, person: 12_000, block: 12_000, reply: 6_000, input: 1_200, result: 2_000 };

/** What is cut when there is no room, in this order: outputs first, a person's words last. */
const cuts: readonly (readonly [kind: PieceKind, most: number])[] = [
  ['result', 600],
  ['result', 160],
  ['input', 240],
  ['reply', 1_000],
  ['result', 0],
  ['block', 3_000],
  ['person', 3_000],
  ['reply', 240],
  ['block', 800],
  ['person', 600],
];

/**
 * The pieces as one text of at most `maxTokens` counted tokens: each cut is made on the oldest first, and no more are
 * made than needed. When all of them are too few, the oldest pieces go. Time linear in the pieces.
 */
export function textWithin(pieces: readonly Piece[], maxTokens: number, countTokens: CountTokens): string {
  const shown = pieces.map((piece) => new ShownPiece(piece, countTokens));
  let total = shown.reduce((sum, piece) => sum + piece.tokens, 0);
  for (const [kind, most] of cuts) {
    for (const piece of shown) {
      if (total <= maxTokens) return joined(shown);
      if (piece.source.kind === kind) total -= piece.cutTo(most);
    }
  }
  let dropped = 0;
  for (; total > maxTokens && dropped < shown.length - 1; dropped += 1) total -= shown[dropped]?.tokens ?? 0;
  return joined(shown.slice(dropped), dropped);
}

function joined(pieces: readonly ShownPiece[], dropped = 0): string {
  const left = dropped === 0 ? [] : [`[the ${dropped} oldest parts of this record did not fit and are left out]`];
  return [...left, ...pieces.map((piece) => piece.text)].join('\n');
}

/** A line break stands between two pieces. */
const tokensBetween = 1;

class ShownPiece {
  text: string;
  tokens: number;

  constructor(
    readonly source: Piece,
    private readonly countTokens: CountTokens,
  ) {
    this.text = textOfPiece(source, generous[source.kind]);
    this.tokens = countTokens(this.text) + tokensBetween;
  }

  /** Returns the tokens that this saved. */
  cutTo(most: number): number {
    if (this.source.text.length <= most) return 0;
    const before = this.tokens;
    this.text = textOfPiece(this.source, most);
    this.tokens = this.countTokens(this.text) + tokensBetween;
    return before - this.tokens;
  }
}

function textOfPiece({ kind, label, text }: Piece, most: number): string {
  return kind === 'mark' ? label : `${label}${escapedForQuotation(excerpt(text, most))}`;
}
