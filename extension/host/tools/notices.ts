import * as vscode from 'vscode';
import { brief } from '../../engine/conversation/text';
import type { CoreItem, CoreItemStatus } from '../../engine/core/core';
import type { Inspection } from '../../inspection/inspection';
import type { ToolTarget } from '../../inspection/tools/tool';
import { offer } from '../dialogs';
import type { ToolEffects } from './tool-call';

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

  constructor(private readonly actions: NoticeActions) {}

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
    const message = vscode.l10n.t('An agent proposes {0} more items for “{1}”.', count, titleOf(inspection));
    await offer(message, { [vscode.l10n.t('Show')]: () => this.actions.showCore(inspection) });
  }

  async #askAboutProposal(inspection: Inspection, item: CoreItem): Promise<void> {
    const change = (status: CoreItemStatus) =>
      this.actions.change(inspection, (changed) => changed.coreEditor.change(item.id, status));
    await offer(proposalMessage(inspection, item), {
      [vscode.l10n.t('Accept')]: () => change('active'),
      [vscode.l10n.t('Refuse')]: () => change('refused'),
      [vscode.l10n.t('Show')]: () => this.actions.showCore(inspection),
    });
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
    const shown = brief(reason, maxShownLength);
    await offer(vscode.l10n.t('An agent suggests compacting “{0}”: {1}', titleOf(inspection), shown), {
      [vscode.l10n.t('Preview…')]: () => this.actions.showPreview(inspection),
    });
  }
}

function proposalMessage(inspection: Inspection, { kind, text }: CoreItem): string {
  const shown = brief(text, maxShownLength);
  const session = titleOf(inspection);
  switch (kind) {
    case 'goal':
      return vscode.l10n.t('An agent proposes a goal for “{0}”: {1}', session, shown);
    case 'constraint':
      return vscode.l10n.t('An agent proposes a constraint for “{0}”: {1}', session, shown);
    case 'decision':
      return vscode.l10n.t('An agent proposes a decision for “{0}”: {1}', session, shown);
  }
}

function titleOf({ session }: Inspection): string {
  return brief(session.title ?? session.id, titleLength);
}
