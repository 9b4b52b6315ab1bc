import type { Row } from '../../../extension/protocol/view';
import type { PinDraft } from '../../state/pin-form.svelte';

/** What the timeline asks of the panel. */
export interface TimelineCommands {
  /** Pins a selection as it is. */
  pin(draft: PinDraft): void;
  openPinForm(draft: Partial<PinDraft>): void;
  openPinFormFromRow(row: Row): void;
  /** Opens the session file at the record that the row came from. */
  reveal(row: Row): void;
  copy(text: string): void;
  /** Absent where Strata cannot write sessions of this agent. */
  readonly branch?: ((row: Row) => void) | undefined;
  openSession(file: string): void;
  showCompaction(id: string): void;
}
