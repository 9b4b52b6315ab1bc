import type { CountTokens } from '../conversation/tokens';
import { escapedForQuotation } from '../language/quotation';
import { excerpt } from './excerpt';

/** The kind of a piece of history. It decides how long the piece may be. */
type PieceKind = 'mark' | 'person' | 'block' | 'reply' | 'input' | 'result';

/** A piece of history: a label by the prompt and a text from the session. */
export interface Piece {
  readonly kind: PieceKind;
  readonly label: string;
  readonly text: string;
}

type Limits = Readonly<Record<PieceKind, number>>;

/** Maximum UTF-16 units of a piece if there is room. */
const initialLimits: Limits = { mark: 0, person: 12_000, block: 20_000, reply: 6_000, input: 2_400, result: 4_000 };

/** Limits that apply one after the other until the history fits: outputs are cut first, the user's words last. */
const cuts: readonly (readonly [kind: PieceKind, most: number])[] = [
  ['result', 2_000],
  ['input', 1_200],
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
 * Joins the pieces to a text of at most `maxTokens` counted tokens. Each cut starts with the oldest pieces and stops as
 * soon as the text fits. If all cuts are not enough, the oldest pieces are dropped. Linear in the number of pieces.
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

/** Tokens of the pieces if none is cut further. Linear in the number of pieces. */
export function uncutTokens(pieces: readonly Piece[], countTokens: CountTokens): number {
  return pieces.reduce((total, piece) => total + new ShownPiece(piece, countTokens).tokens, 0);
}

function joined(pieces: readonly ShownPiece[], dropped = 0): string {
  const left = dropped === 0 ? [] : [`[the ${dropped} oldest parts of this record did not fit and are left out]`];
  return [...left, ...pieces.map((piece) => piece.text)].join('\n');
}

/** For the line break between two pieces. */
const tokensBetween = 1;

class ShownPiece {
  text: string;
  tokens: number;

  constructor(
    readonly source: Piece,
    private readonly countTokens: CountTokens,
  ) {
    this.text = textOfPiece(source, initialLimits[source.kind]);
    this.tokens = countTokens(this.text) + tokensBetween;
  }

  /** Returns the saved tokens. */
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
