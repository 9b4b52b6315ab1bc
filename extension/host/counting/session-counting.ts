import { type CountTexts, countAhead, uncountedIn } from '../../engine/conversation/counting-ahead';
import { TokenLedger } from '../../engine/conversation/tokens';
import type { CountSession, Inspection } from '../../inspection/inspection';
import type { Session } from '../../sessions/session';

/** Maximum length of text that the host counts on its own thread, in UTF-16 units: some hundredths of a second. */
export const maxImmediateLength = 200_000;

/** Whether counting the session on the host's thread would cause a noticeable delay. */
export function needsCountingThread({ conversation }: Session): boolean {
  const nothingKnown = new TokenLedger(() => 0);
  return uncountedIn(conversation.agentContext, nothingKnown).length > maxImmediateLength;
}

/**
 * Counts a session in the counting thread, including entries that arrive meanwhile, until little is left. After a failure
 * the host counts the rest when it is shown: one delay is better than figures that never come.
 */
export function countSessionWith(
  count: CountTexts,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): CountSession {
  return async (ledger, session) => {
    const left = () => uncountedIn(session().conversation.agentContext, ledger);
    try {
      for (let uncounted = left(); uncounted.length > maxImmediateLength; uncounted = left()) {
        await countAhead(uncounted, ledger, count, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      onFailure(error);
    }
  };
}

/** Counts entries outside the context in advance, so that opening them causes no delay. */
export async function countOutsideContext(
  inspection: Inspection,
  count: CountTexts,
  signal: AbortSignal,
): Promise<void> {
  const { session, ledger } = inspection;
  await countAhead(uncountedIn(session.conversation.entries, ledger), ledger, count, signal);
}
