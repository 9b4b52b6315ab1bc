import type { Entry, Part } from './entry';
import { countedAtOnce, countedTexts, type TokenLedger } from './tokens';

/** Counts texts somewhere else: in another thread, or in slices. Rejected with the signal's reason when it aborts. */
export type CountTexts = (texts: readonly string[], signal: AbortSignal) => Promise<readonly number[]>;

/** What a ledger would have to count before it can tell the tokens of some entries. */
export interface Uncounted {
  readonly parts: readonly Part[];
  /** UTF-16 units. */
  readonly length: number;
}

export function uncountedIn(entries: readonly Entry[], ledger: TokenLedger): Uncounted {
  const parts = entries.flatMap((entry) =>
    ledger.knowsEntry(entry) ? [] : entry.parts.filter((part) => !ledger.knows(part)),
  );
  return { parts, length: parts.reduce((sum, part) => sum + lengthOf(part), 0) };
}

/** UTF-16 units that are counted at a time: what a cancellation waits for at most, and what is copied at once. */
const batchLength = 16 * countedAtOnce;

/**
 * Counts these parts elsewhere, in batches one after the other, and lets the ledger know. Rejected with the signal's
 * reason when it aborts; what was counted until then stays known.
 */
export async function countAhead(
  { parts }: Uncounted,
  ledger: TokenLedger,
  count: CountTexts,
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batchesOf(parts)) {
    signal.throwIfAborted();
    const counts = await count(
      batch.map(({ text }) => text),
      signal,
    );
    batch.forEach(({ of }, index) => {
      const tokens = counts[index];
      if (tokens === undefined) throw new Error(`${counts.length} counts came for ${batch.length} texts.`);
      of.tokens += tokens;
      of.piecesLeft -= 1;
      if (of.piecesLeft === 0) ledger.know(of.part, of.tokens);
    });
  }
}

interface Counting {
  readonly part: Part;
  piecesLeft: number;
  tokens: number;
}

interface Piece {
  readonly of: Counting;
  readonly text: string;
}

function* batchesOf(parts: readonly Part[]): Generator<readonly Piece[]> {
  let batch: Piece[] = [];
  let length = 0;
  for (const piece of piecesOf(parts)) {
    if (batch.length > 0 && length + piece.text.length > batchLength) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(piece);
    length += piece.text.length;
  }
  if (batch.length > 0) yield batch;
}

function* piecesOf(parts: readonly Part[]): Generator<Piece> {
  for (const part of parts) {
    const texts = countedTexts(part).flatMap((text) => piecesOfText(text, batchLength));
    const of: Counting = { part, piecesLeft: texts.length, tokens: 0 };
    for (const text of texts) yield { of, text };
  }
}

/** `length`: a multiple of what is counted at once. An empty text is one empty piece. */
export function piecesOfText(text: string, length: number): string[] {
  const count = Math.max(1, Math.ceil(text.length / length));
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
}

function lengthOf(part: Part): number {
  return countedTexts(part).reduce((sum, text) => sum + text.length, 0);
}
