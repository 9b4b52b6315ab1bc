import type { RowAction } from '../../../extension/protocol/messages';
import type { Row } from '../../../extension/protocol/view';
import type { PinDraft } from '../../state/core/pin-form.svelte';
import type { MarkdownCommands } from '../markdown/commands';

/** What the timeline asks of the panel. */
export interface TimelineCommands extends MarkdownCommands {
  /** Pins a selection as it is. */
  pin(draft: PinDraft): void;
  openPinForm(draft: Partial<PinDraft>): void;
  openPinFormFromRow(row: Row): void;
  /** What the context menu of a row offers. */
  act(action: RowAction, key: string): void;
  /** Opens the session file at the record that the row came from. */
  reveal(row: Row): void;
  /** Absent where Strata cannot write sessions of this agent. */
  readonly branch?: ((row: Row) => void) | undefined;
  openSession(file: string): void;
  showCompaction(id: string): void;
}
