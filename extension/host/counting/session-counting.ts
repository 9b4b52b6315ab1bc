import { type CountTexts, countAhead, uncountedIn } from '../../engine/conversation/counting-ahead';
import { TokenLedger } from '../../engine/conversation/tokens';
import type { CountSession, Inspection } from '../../inspection/inspection';
import type { Session } from '../../sessions/session';

/** UTF-16 units of uncounted text that the host counts by itself: it takes some hundredths of a second. */
export const countedOnTheSpot = 200_000;

/** Whether counting it all at once would be felt. */
export function isMuchToCount({ conversation }: Session): boolean {
  const nothingKnown = new TokenLedger(() => 0);
  return uncountedIn(conversation.agentContext, nothingKnown).length > countedOnTheSpot;
}

/**
 * What comes in while it is counted is counted too, until little is left. Where that fails the host counts the rest when
 * it is shown: a person waits for it once, rather than for figures that never come.
 */
export function countSessionWith(
  count: CountTexts,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): CountSession {
  return async (ledger, session) => {
    const left = () => uncountedIn(session().conversation.agentContext, ledger);
    try {
      for (let uncounted = left(); uncounted.length > countedOnTheSpot; uncounted = left()) {
        await countAhead(uncounted, ledger, count, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      onFailure(error);
    }
  };
}

/** What is not in the context any more: a person may open it at any time, and that should not be felt either. */
export async function countTheRest(inspection: Inspection, count: CountTexts, signal: AbortSignal): Promise<void> {
  const { session, ledger } = inspection;
  await countAhead(uncountedIn(session.conversation.entries, ledger), ledger, count, signal);
}
