import { type CountTexts, countAhead, uncountedIn } from '../../engine/conversation/counting-ahead';
import type { Inspection } from '../../inspection/inspection';
import type { Session } from '../../sessions/session';
import { maxImmediateLength } from './session-counting';

interface UpdateTools {
  readonly count: CountTexts;
  readonly signal: AbortSignal;
  /** The inspection now has the newer session. */
  readonly onShown: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Updates an inspection as its session grows. A small update is shown at once; a large one after its tokens are counted
 * in the counting thread. Updates stay in order; of several that arrive during counting, only the newest is shown.
 */
export class CountedUpdates {
  #newest: Session | null = null;
  #isWorking = false;

  constructor(
    private readonly inspection: Inspection,
    private readonly tools: UpdateTools,
  ) {}

  take(session: Session): void {
    this.#newest = session;
    if (!this.#isWorking) void this.#showAll();
  }

  async #showAll(): Promise<void> {
    this.#isWorking = true;
    for (let session = this.#takeNewest(); session !== null; session = this.#takeNewest()) {
      if (this.#needsCountingFirst(session)) await this.#countAhead(session);
      if (this.tools.signal.aborted) break;
      this.inspection.session = session;
      this.tools.onShown();
    }
    this.#isWorking = false;
  }

  #takeNewest(): Session | null {
    const newest = this.#newest;
    this.#newest = null;
    return newest;
  }

  /** False while the inspection shows estimates: its own counting then includes the new entries. */
  #needsCountingFirst({ conversation }: Session): boolean {
    const { isCounting, ledger } = this.inspection;
    return !isCounting && uncountedIn(conversation.agentContext, ledger).length > maxImmediateLength;
  }

  /** After a failure, the rest is counted when it is shown. */
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
