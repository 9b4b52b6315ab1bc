import { type Piece, transcriptOf } from '../../../inside/carried';
import type { AgentDoor } from '../../../inside/door';

/** The result of `session_before_compact`: one summary, and the newest messages by reference. */
export const piDoor: AgentDoor = {
  agent: 'pi',
  result({ pieces, tokens }) {
    const { summarized, kept } = dividedAt(pieces);
    const [first] = kept;
    return {
      summary: transcriptOf(summarized),
      firstKeptEntryId: first?.entry ?? null,
      tokensBefore: tokens.before,
      details: { strata: { tokensAfter: tokens.after } },
    };
  },
};

/**
 * The kept messages are the longest end of the context that is unchanged from what pi sends and does not begin with a
 * result.
 */
function dividedAt(pieces: readonly Piece[]): {
  readonly summarized: readonly Piece[];
  readonly kept: readonly Piece[];
} {
  const ours = pieces.findLastIndex(({ isOurs }) => isOurs);
  const first = pieces.findIndex(({ result }, index) => index > ours && result === null);
  const place = first < 0 ? pieces.length : first;
  return { summarized: pieces.slice(0, place), kept: pieces.slice(place) };
}
