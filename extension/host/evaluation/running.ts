import * as vscode from 'vscode';
import type { WorkProgress } from '../../evaluation/threads/messages';
import { OperationRefused } from '../../inspection/inspection';
import type { EvaluationState } from '../../protocol/evaluation';

export interface EvaluationWork<Outcome> {
  readonly label: string;
  /** Where progress and the stop button appear. `notification`: in VS Code. `panel`: in the panel. */
  readonly shownIn: 'notification' | 'panel';
  readonly work: (signal: AbortSignal, onProgress: (progress: WorkProgress) => void) => Promise<Outcome>;
}

/** The person stopped it. */
const stopped = Symbol('stopped');

/** The running evaluation; at most one at a time. */
export class RunningEvaluation implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #running: { readonly state: NonNullable<EvaluationState['running']>; readonly stopping: AbortController } | null =
    null;

  get state(): EvaluationState['running'] {
    return this.#running?.state ?? null;
  }

  refuseSecond(): void {
    if (!this.#running) return;
    throw new OperationRefused(vscode.l10n.t('Wait until this is done, or stop it: {0}.', this.#running.state.label));
  }

  /** Null if the person stopped it. Refuses a second run at the same time. */
  async run<Outcome>({ label, shownIn, work }: EvaluationWork<Outcome>): Promise<Outcome | null> {
    this.refuseSecond();
    const stopping = new AbortController();
    const show = (done: number, of: number) => {
      this.#running = { state: { label, done, of }, stopping };
      this.#changed.fire();
    };
    show(0, 0);
    try {
      return await this.#withProgress(label, shownIn, async (report, token) => {
        token.onCancellationRequested(() => this.stop());
        return await work(stopping.signal, (progress) => {
          show(progress.done, progress.of);
          report(progress);
        });
      });
    } catch (error) {
      if (stopping.signal.reason === stopped) return null;
      throw error;
    } finally {
      this.#running = null;
      this.#changed.fire();
    }
  }

  async #withProgress<Outcome>(
    label: string,
    shownIn: EvaluationWork<Outcome>['shownIn'],
    work: (report: (progress: WorkProgress) => void, token: vscode.CancellationToken) => Promise<Outcome>,
  ): Promise<Outcome> {
    const cancellable = shownIn === 'notification';
    const location = cancellable ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window;
    return await vscode.window.withProgress({ location, cancellable, title: label }, (progress, token) => {
      let shown = 0;
      const report = ({ done, of, subject }: WorkProgress) => {
        const percent = of === 0 ? 0 : (done / of) * 100;
        const message = vscode.l10n.t('{0} of {1} {2}', done, of, subject).trim();
        progress.report({ message, increment: percent - shown });
        shown = percent;
      };
      return work(report, token);
    });
  }

  stop(): void {
    this.#running?.stopping.abort(stopped);
  }

  dispose(): void {
    this.stop();
    this.#changed.dispose();
  }
}
