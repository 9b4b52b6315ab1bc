import type { CountTokens } from '../../engine/conversation/tokens';

/** Maximum tokens of an answer, and how they are counted. */
export interface TokenBudget {
  readonly tokens: number;
  readonly count: CountTokens;
}

export const cutMark = '… [cut]';

/** The separator between two pieces of an answer can cost a token of its own. */
const tokensOfJoint = 1;

/** Collects the pieces of an answer as long as they fit. */
export class BudgetedText {
  readonly #pieces: string[] = [];
  #left: number;

  constructor(
    private readonly budget: TokenBudget,
    private readonly joint = '\n',
  ) {
    this.#left = budget.tokens;
  }

  get left(): number {
    return this.#left;
  }

  get text(): string {
    return this.#pieces.join(this.joint);
  }

  /** False if it does not fit; the text is then unchanged. */
  add(piece: string): boolean {
    const cost = this.costOf(piece);
    if (cost > this.#left) return false;
    this.#pieces.push(piece);
    this.#left -= cost;
    return true;
  }

  /** Adds as much of it as fits, with a mark at the cut. */
  addCut(piece: string): void {
    if (!this.add(piece)) this.add(cutToTokens(piece, { ...this.budget, tokens: this.#left - tokensOfJoint }));
  }

  costOf(piece: string): number {
    return this.budget.count(piece) + tokensOfJoint;
  }
}

/** Text about the number of pieces that did not fit. */
type TellLeftOut = (count: number) => string;

/** The start of the answer and as many pieces as fit, in order; the end says how many were left out. */
export function fittingText(
  head: readonly string[],
  pieces: readonly string[],
  budget: TokenBudget,
  { tellLeftOut, joint = '\n' }: { readonly tellLeftOut: TellLeftOut; readonly joint?: string },
): string {
  const reserved = budget.count(tellLeftOut(pieces.length)) + tokensOfJoint;
  const text = new BudgetedText({ ...budget, tokens: budget.tokens - reserved }, joint);
  for (const line of head) text.addCut(line);
  const firstLeft = pieces.findIndex((piece) => !text.add(piece));
  if (firstLeft < 0) return text.text;
  const left = pieces.length - firstLeft;
  return text.text === '' ? tellLeftOut(left) : `${text.text}${joint}${tellLeftOut(left)}`;
}

/** The text, or as much of it as fits with a mark at the cut. Empty if not even the mark fits. */
export function cutToTokens(text: string, budget: TokenBudget): string {
  const fits = beginningThatFits(text, budget);
  if (fits.length === text.length) return text;
  return budget.count(cutMark) <= budget.tokens ? fits + cutMark : '';
}

/** The whole text, or as much of its start as fits together with the mark. */
export function beginningThatFits(text: string, { tokens, count }: TokenBudget): string {
  if (count(text) <= tokens) return text;
  let fits = 0;
  // Longer texts cannot fit; counting them would only take time.
  let tooLong = Math.min(text.length, Math.max(0, tokens) * longestToken) + 1;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (count(beginning(text, middle) + cutMark) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return beginning(text, fits);
}

/** Maximum length of a token in UTF-16 units; runs of spaces are the longest tokens. */
const longestToken = 128;

/** Never splits a surrogate pair. */
function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
