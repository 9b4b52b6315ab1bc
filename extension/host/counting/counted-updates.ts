import { type CountTexts, countAhead, uncountedIn } from '../../engine/conversation/counting-ahead';
import type { Inspection } from '../../inspection/inspection';
import type { Session } from '../../sessions/session';
import { countedOnTheSpot } from './session-counting';

export interface UpdateTools {
  readonly count: CountTexts;
  readonly signal: AbortSignal;
  /** The session that is shown was exchanged for a newer one. */
  readonly onShown: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Gives an inspection its followed session as it grows: at once where little came, and where much came once that is
 * counted. Updates stay in order; of several that come while one is counted, the newest is shown next.
 */
export class CountedUpdates {
  #newest: Session | null = null;
  #isAtWork = false;

  constructor(
    private readonly inspection: Inspection,
    private readonly tools: UpdateTools,
  ) {}

  take(session: Session): void {
    this.#newest = session;
    if (!this.#isAtWork) void this.#showAll();
  }

  async #showAll(): Promise<void> {
    this.#isAtWork = true;
    for (let session = this.#takeNewest(); session !== null; session = this.#takeNewest()) {
      if (this.#isMuch(session)) await this.#countAhead(session);
      if (this.tools.signal.aborted) break;
      this.inspection.session = session;
      this.tools.onShown();
    }
    this.#isAtWork = false;
  }

  #takeNewest(): Session | null {
    const newest = this.#newest;
    this.#newest = null;
    return newest;
  }

  /** While estimates are shown, they cost nothing; whoever makes the counts then looks at what came since. */
  #isMuch({ conversation }: Session): boolean {
    const { isCounting, ledger } = this.inspection;
    return !isCounting && uncountedIn(conversation.agentContext, ledger).length > countedOnTheSpot;
  }

  /** What could not be counted ahead is counted when it is shown. */
  async #countAhead({ conversation }: Session): Promise<void> {
    const { ledger } = this.inspection;
    const { count, signal } = this.tools;
    try {
      await countAhead(uncountedIn(conversation.agentContext, ledger), ledger, count, signal);
    } catch (error) {
      if (!signal.aborted) this.tools.onFailure(error);
    }
  }
}
