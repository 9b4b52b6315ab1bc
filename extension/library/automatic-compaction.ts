import type { Context } from '../engine/conversation/context';
import { OperationRefused } from '../engine/journal/operation-refused';
import { type AutomationDecision, decideAutomation } from '../engine/run/automation';
import type { PreparedRun } from '../engine/run/prepared-run';
import type { CompactOptions } from './options';
import type { AutomaticOutcome, FitOutcome } from './outcomes';
import type { Setting } from './setting';

/** What automatic compaction does with the context that it is for. */
interface Compactable {
  context(): Context;
  prepare(options: CompactOptions): Promise<PreparedRun>;
  apply(run: PreparedRun): Promise<void>;
}

/** Compacts a context when its strategy's trigger says so, one run at a time. */
export class AutomaticCompaction {
  #running: Promise<AutomaticOutcome> | null = null;
  /** How large the context was when a run came to nothing: the same again would come to nothing again. */
  #fruitlessAt: number | null = null;

  constructor(
    private readonly setting: Setting,
    private readonly target: Compactable,
  ) {}

  get decision(): AutomationDecision {
    const { store, journal, automation, choice, parameters, window } = this.setting;
    return decideAutomation({
      ...automation,
      strategy: choice,
      parameters,
      conversation: store.conversation,
      state: journal.state,
      context: this.target.context(),
      contextWindow: window,
      // Who asks is about to send a request, so nothing is under way.
      betweenTurns: true,
    });
  }

  compactIfNeeded(options: CompactOptions): Promise<AutomaticOutcome> {
    this.#running ??= this.#run(options).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(options: CompactOptions): Promise<AutomaticOutcome> {
    const { decision } = this;
    if (decision.kind !== 'run') return decision;
    if (this.#isFruitless) return { kind: 'wait', reason: 'paused' };
    const admission = this.setting.breaker.admit('automatic');
    if (admission.kind === 'refused') return { kind: 'stopped', message: admission.message };
    const run = await this.target.prepare(options);
    this.#fruitlessAt = run.records.length === 0 ? run.before.tokens.total : null;
    if (run.records.length === 0) return { kind: 'came-to-nothing', run };
    return await appliedUnlessOvertaken(this.target, run);
  }

  get #isFruitless(): boolean {
    if (this.#fruitlessAt === null) return false;
    return this.target.context().tokens.total < this.#fruitlessAt + this.setting.automation.pauseTokens;
  }
}

/** Somebody may have compacted the same from outside meanwhile; then that is what holds. */
export async function appliedUnlessOvertaken(
  target: Pick<Compactable, 'apply'>,
  run: PreparedRun,
): Promise<Extract<FitOutcome, { kind: 'compacted' | 'overtaken' }>> {
  try {
    await target.apply(run);
    return { kind: 'compacted', run };
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    return { kind: 'overtaken', message: error.message };
  }
}
