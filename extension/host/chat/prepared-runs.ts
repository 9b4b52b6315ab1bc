import * as l10n from '@vscode/l10n';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { OperationRefused } from '../../inspection/inspection';
import type { EditorConversation } from '../conversations/editor-conversations';

interface Prepared {
  readonly conversation: EditorConversation;
  readonly run: PreparedRun;
}

/** More previews than a person goes back to. */
const mostPreviews = 20;

/** Compactions that were shown in a chat and can still be applied. They are lost when the window closes. */
export class PreparedRuns {
  readonly #previews = new Map<string, Prepared>();

  add(id: string, prepared: Prepared): void {
    this.#previews.set(id, prepared);
    const [oldest] = this.#previews.keys();
    if (this.#previews.size > mostPreviews && oldest !== undefined) this.#previews.delete(oldest);
  }

  /** Refused if the preview is no longer kept, or if the conversation or its journal has changed since. */
  async apply(id: string): Promise<Prepared> {
    const prepared = this.#previews.get(id);
    if (!prepared) throw new OperationRefused(l10n.t('This preview is from another time. Send /compact again.'));
    await prepared.conversation.refresh();
    await prepared.conversation.workbench.apply(prepared.run);
    this.#previews.delete(id);
    return prepared;
  }
}
