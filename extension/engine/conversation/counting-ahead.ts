import type { Entry, Part } from './entry';
import { countedTexts, maxCountedLength, type TokenLedger, textLength } from './tokens';

/** Counts texts elsewhere: in another thread, or in slices. Rejects with the signal's reason on abort. */
export type CountTexts = (texts: readonly string[], signal: AbortSignal) => Promise<readonly number[]>;

/** The parts of some entries that a ledger has not counted yet. */
interface Uncounted {
  readonly parts: readonly Part[];
  /** In UTF-16 units. */
  readonly length: number;
}

export function uncountedIn(entries: readonly Entry[], ledger: TokenLedger): Uncounted {
  const parts = entries.flatMap((entry) =>
    ledger.hasEntry(entry) ? [] : entry.parts.filter((part) => !ledger.has(part)),
  );
  return { parts, length: parts.reduce((sum, part) => sum + textLength(part), 0) };
}

/** UTF-16 units per batch. Bounds the delay of a cancellation, and the amount of text that is copied at once. */
const batchLength = 16 * maxCountedLength;

/**
 * Counts parts elsewhere, one batch after the other, and adds the counts to the ledger. Rejects with the signal's
 * reason on abort; finished counts stay in the ledger.
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
    batch.forEach(({ count: partCount }, index) => {
      const tokens = counts[index];
      if (tokens === undefined) throw new Error(`${counts.length} counts came for ${batch.length} texts.`);
      partCount.tokens += tokens;
      partCount.piecesLeft -= 1;
      if (partCount.piecesLeft === 0) ledger.add(partCount.part, partCount.tokens);
    });
  }
}

interface PartCount {
  readonly part: Part;
  piecesLeft: number;
  tokens: number;
}

interface Piece {
  readonly count: PartCount;
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
    const count: PartCount = { part, piecesLeft: texts.length, tokens: 0 };
    for (const text of texts) yield { count, text };
  }
}

/** `length` is a multiple of `maxCountedLength`. An empty text gives one empty piece. */
export function piecesOfText(text: string, length: number): string[] {
  const count = Math.max(1, Math.ceil(text.length / length));
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
}
