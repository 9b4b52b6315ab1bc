import type { RowAction } from '../../../extension/protocol/messages';
import type { Row } from '../../../extension/protocol/view';
import type { PinDraft } from '../../state/core/pin-form.svelte';
import type { MarkdownCommands } from '../markdown/commands';

/** Commands that the timeline needs from the panel. */
export interface TimelineCommands extends MarkdownCommands {
  /** Pins a selection verbatim. */
  pin(draft: PinDraft): void;
  openPinForm(draft: Partial<PinDraft>): void;
  /** Runs an action of a row's context menu. */
  act(action: RowAction, key: string): void;
  /** Opens the session file at the record of the row. */
  reveal(row: Row): void;
  /** Absent if Strata cannot write sessions of this agent. */
  readonly branch?: ((row: Row) => void) | undefined;
  openSession(file: string): void;
  /** Opens a file that the agent reads. */
  openFile(file: string): void;
  showCompaction(id: string): void;
}
