import type { CountTokens } from '../../engine/conversation/tokens';

/** How long an answer may be, and how that is counted. */
export interface TokenBudget {
  readonly tokens: number;
  readonly count: CountTokens;
}

export const cutMark = '… [cut]';

/** What joins two pieces of an answer can cost a token of its own. */
const tokensOfJoint = 1;

/** Collects the pieces of an answer for as long as they fit. */
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

  /** False where it does not fit; nothing has changed then. */
  add(piece: string): boolean {
    const cost = this.costOf(piece);
    if (cost > this.#left) return false;
    this.#pieces.push(piece);
    this.#left -= cost;
    return true;
  }

  /** As much of it as fits, with a mark where it was cut. */
  addCut(piece: string): void {
    if (!this.add(piece)) this.add(cutToTokens(piece, { ...this.budget, tokens: this.#left - tokensOfJoint }));
  }

  costOf(piece: string): number {
    return this.budget.count(piece) + tokensOfJoint;
  }
}

/** Of what did not fit, how much there is. */
export type TellLeftOut = (count: number) => string;

/** What begins the answer, and as many of the pieces as fit, in their order; what is left out is told at the end. */
export function fittingText(
  head: readonly string[],
  pieces: readonly string[],
  budget: TokenBudget,
  { tellLeftOut, joint = '\n' }: { readonly tellLeftOut: TellLeftOut; readonly joint?: string },
): string {
  const told = budget.count(tellLeftOut(pieces.length)) + tokensOfJoint;
  const text = new BudgetedText({ ...budget, tokens: budget.tokens - told }, joint);
  for (const line of head) text.addCut(line);
  const firstLeft = pieces.findIndex((piece) => !text.add(piece));
  if (firstLeft < 0) return text.text;
  const left = pieces.length - firstLeft;
  return text.text === '' ? tellLeftOut(left) : `${text.text}${joint}${tellLeftOut(left)}`;
}

/** The text, or as much of it as fits, with a mark where it was cut. Empty where not even the mark fits. */
export function cutToTokens(text: string, budget: TokenBudget): string {
  const fits = beginningThatFits(text, budget);
  if (fits.length === text.length) return text;
  return budget.count(cutMark) <= budget.tokens ? fits + cutMark : '';
}

/** The whole text, or as much of it as fits together with the mark that it was cut. */
export function beginningThatFits(text: string, { tokens, count }: TokenBudget): string {
  if (count(text) <= tokens) return text;
  let fits = 0;
  // Counting more would only take time.
  let tooLong = Math.min(text.length, Math.max(0, tokens) * longestToken) + 1;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (count(beginning(text, middle) + cutMark) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return beginning(text, fits);
}

/** In UTF-16 units. Runs of spaces are the longest tokens there are. */
const longestToken = 128;

/** Never ends in half a character. */
function beginning(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
