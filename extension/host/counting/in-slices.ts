import { setImmediate as othersHadTheirTurn } from 'node:timers/promises';
import { type CountTexts, piecesOfText } from '../../engine/conversation/counting-ahead';
import { type CountTokens, maxCountedLength } from '../../engine/conversation/tokens';

/** UTF-16 units counted before yielding to the event loop: some milliseconds of work. */
const sliceLength = maxCountedLength;

/** Counts on the current thread in small slices. */
export function countInSlices(loadTokenizer: () => Promise<CountTokens>): CountTexts {
  return async (texts, signal) => {
    const countText = await loadTokenizer();
    const counts: number[] = [];
    let sinceTurn = 0;
    for (const text of texts) {
      let tokens = 0;
      for (const piece of piecesOfText(text, sliceLength)) {
        signal.throwIfAborted();
        tokens += countText(piece);
        sinceTurn += piece.length;
        if (sinceTurn < sliceLength) continue;
        await othersHadTheirTurn();
        sinceTurn = 0;
      }
      counts.push(tokens);
    }
    return counts;
  };
}
