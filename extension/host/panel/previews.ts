import { replacedMessages } from '../../engine/compaction/plan';
import type { PreparedRun } from '../../engine/compaction/run';
import { blockForm } from '../../engine/conversation/context';
import type { PreviewView } from '../../protocol/view';
import { strategyTitle } from '../settings';
import { lossView, messagesAsText } from '../view/compactions';
import { Outdated } from './outdated';

/** Runs that were shown and may be applied. The newest few are enough: a preview is applied or replaced. */
export class Previews {
  static readonly #most = 8;
  readonly #runs = new Map<string, PreparedRun>();
  #last = 0;

  remember(run: PreparedRun): string {
    this.#last += 1;
    const id = String(this.#last);
    this.#runs.set(id, run);
    for (const oldest of [...this.#runs.keys()].slice(0, -Previews.#most)) this.#runs.delete(oldest);
    return id;
  }

  take(id: string): PreparedRun {
    const run = this.#runs.get(id);
    if (!run) throw new Outdated('This preview is no longer there. Prepare it again.');
    this.#runs.delete(id);
    return run;
  }
}

export function previewView(id: string, run: PreparedRun): PreviewView {
  return {
    id,
    strategy: run.strategy,
    tokensBefore: run.before.tokens.total,
    tokensAfter: run.after.tokens.total,
    blocks: run.records.map((record, index) => {
      const plan = run.plans[index];
      return {
        tag: blockForm(record.summaryType).tag,
        strategy: strategyTitle(record.strategy),
        reason: plan?.reason ?? '',
        turnCount: record.turnCount,
        entryCount: record.entryIds.length,
        tokensBefore: record.tokensBefore,
        tokensAfter: record.tokensAfter,
        before: plan ? messagesAsText(replacedMessages(plan)) : '',
        after: record.text,
        loss: lossView(record.loss),
      };
    }),
    notes: run.notes,
  };
}
