import type * as vscode from 'vscode';
import { brief } from '../../engine/conversation/text';
import type { CoreItem } from '../../engine/core/core';
import type { Inspection } from '../../inspection/inspection';
import type { ToolTarget } from '../../inspection/tools/tool';
import type { ToolEffects } from './tool-call';

/** The part of VS Code's API that notices use. */
export type NoticeApi = Pick<typeof vscode, 'l10n'> & {
  readonly window: { showInformationMessage(message: string, ...buttons: string[]): Thenable<string | undefined> };
};

interface NoticeActions {
  readonly change: ToolEffects['change'];
  /** Opens the session in the inspector and shows its core. */
  readonly showCore: (inspection: Inspection) => Promise<unknown>;
  /** Opens the session in the inspector and shows the preview of a compaction. */
  readonly showPreview: (inspection: Inspection) => Promise<unknown>;
  /** Runs work in the background and shows a failure to the person. */
  readonly run: (label: string, work: () => Promise<void>) => void;
}

const titleLength = 60;
const maxShownLength = 200;

/** Asks the person about requests of an agent without blocking the agent. */
export class ToolNotices {
  /** Files of sessions with an unanswered question, to avoid asking twice. */
  readonly #offered = new Set<string>();
  /** Proposals that arrived during an unanswered question, by session file. */
  readonly #waiting = new Map<string, CoreItem[]>();

  constructor(
    private readonly vscode: NoticeApi,
    private readonly actions: NoticeActions,
  ) {}

  announceProposal({ inspection }: Pick<ToolTarget, 'inspection'>, item: CoreItem): void {
    const { file } = inspection.session;
    const waiting = this.#waiting.get(file);
    if (waiting) {
      waiting.push(item);
      return;
    }
    this.#waiting.set(file, []);
    this.actions.run('proposal', () =>
      this.#askAboutProposal(inspection, item).finally(() => this.#announceWaiting(inspection)),
    );
  }

  /** Announces the waiting proposals: one by its text, several by their number. */
  #announceWaiting(inspection: Inspection): void {
    const { file } = inspection.session;
    const waiting = this.#waiting.get(file) ?? [];
    this.#waiting.delete(file);
    const [only, ...more] = waiting;
    if (only && more.length === 0) this.actions.run('proposal', () => this.#askAboutProposal(inspection, only));
    else if (only) this.actions.run('proposals', () => this.#tellOfProposals(inspection, waiting.length));
  }

  async #tellOfProposals(inspection: Inspection, count: number): Promise<void> {
    const { l10n, window } = this.vscode;
    const show = l10n.t('Show');
    const message = l10n.t('An agent proposes {0} more items for “{1}”.', count, titleOf(inspection));
    if ((await window.showInformationMessage(message, show)) === show) await this.actions.showCore(inspection);
  }

  async #askAboutProposal(inspection: Inspection, item: CoreItem): Promise<void> {
    const { vscode, actions } = this;
    const [accept, refuse, show] = [vscode.l10n.t('Accept'), vscode.l10n.t('Refuse'), vscode.l10n.t('Show')];
    const message = this.#proposalMessage(inspection, item);
    const chosen = await vscode.window.showInformationMessage(message, accept, refuse, show);
    if (chosen === show) await actions.showCore(inspection);
    const status = chosen === accept ? 'active' : chosen === refuse ? 'refused' : null;
    if (status !== null) await actions.change(inspection, (changed) => changed.coreEditor.change(item.id, status));
  }

  #proposalMessage(inspection: Inspection, { kind, text }: CoreItem): string {
    const { l10n } = this.vscode;
    const said = brief(text, maxShownLength);
    const session = titleOf(inspection);
    switch (kind) {
      case 'goal':
        return l10n.t('An agent proposes a goal for “{0}”: {1}', session, said);
      case 'constraint':
        return l10n.t('An agent proposes a constraint for “{0}”: {1}', session, said);
      case 'decision':
        return l10n.t('An agent proposes a decision for “{0}”: {1}', session, said);
    }
  }

  offerCompaction({ inspection }: Pick<ToolTarget, 'inspection'>, reason: string): void {
    const { file } = inspection.session;
    if (this.#offered.has(file)) return;
    this.#offered.add(file);
    this.actions.run('compaction', () =>
      this.#askAboutCompaction(inspection, reason).finally(() => this.#offered.delete(file)),
    );
  }

  async #askAboutCompaction(inspection: Inspection, reason: string): Promise<void> {
    const { l10n, window } = this.vscode;
    const preview = l10n.t('Preview…');
    const session = titleOf(inspection);
    const message = l10n.t('An agent suggests compacting “{0}”: {1}', session, brief(reason, maxShownLength));
    if ((await window.showInformationMessage(message, preview)) === preview) await this.actions.showPreview(inspection);
  }
}

function titleOf({ session }: Inspection): string {
  return brief(session.title ?? session.id, titleLength);
}
