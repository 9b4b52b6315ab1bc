import type { PinKind } from '../../../extension/engine/core/core';
import type { Caller } from '../../../extension/protocol/rpc';
import type { Row, RowDetail } from '../../../extension/protocol/view';
import { Attempt } from '../shared/attempt.svelte';
import { messageOf } from '../shared/loadable';

export interface PinDraft {
  readonly kind: PinKind;
  readonly text: string;
  /** The row that it was taken from; null if the user types it. */
  readonly rowKey: string | null;
}

/** Form that pins a goal, a constraint or a decision into the core, verbatim. */
export class PinForm {
  isOpen = $state(false);
  kind = $state<PinKind>('constraint');
  text = $state('');
  rowKey = $state.raw<string | null>(null);
  readonly pinning = new Attempt();

  constructor(private readonly request: Caller['request']) {}

  readonly canPin = $derived(this.text.trim() !== '' && !this.pinning.isRunning);
  readonly draft: PinDraft = $derived({ kind: this.kind, text: this.text, rowKey: this.rowKey });

  open(draft: Partial<PinDraft> = {}): void {
    this.isOpen = true;
    this.pinning.failure = null;
    if (draft.kind) this.kind = draft.kind;
    this.text = draft.text ?? '';
    this.rowKey = draft.rowKey ?? null;
  }

  /** Fills the form with the whole text of a row; the timeline has only its first line. */
  async openFromRow(row: Row): Promise<void> {
    this.open({ rowKey: row.key, text: row.preview });
    try {
      const detail = await this.request('read-row', { key: row.key });
      // The form was edited or reopened while the text was read: keep its current content.
      if (this.rowKey === row.key && this.text === row.preview) this.text = pinnableText(detail);
    } catch (error) {
      this.pinning.failure = messageOf(error);
    }
  }

  /** True if it was pinned; the form then closes. */
  submit = async (): Promise<boolean> => {
    if (!this.canPin) return false;
    const pin = { kind: this.kind, text: this.text.trim(), rowKey: this.rowKey };
    const isPinned = await this.pinning.run(() => this.request('pin', pin));
    if (isPinned) this.close();
    return isPinned;
  };

  close = (): void => {
    this.isOpen = false;
    this.text = '';
    this.rowKey = null;
    this.pinning.failure = null;
  };
}

/** The text of the user or the assistant in a row, without tool calls and reasoning. */
function pinnableText(detail: RowDetail): string {
  const messages = detail.sections.filter(({ tone }) => tone === 'plain' || tone === 'markdown');
  return (messages.length > 0 ? messages : detail.sections)
    .map(({ text }) => text.trim())
    .join('\n\n')
    .trim();
}
