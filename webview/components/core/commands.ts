import type { CoreItem, CoreItemStatus } from '../../../extension/engine/core/core';
import type { CorePurpose } from '../../state/core/core-editor.svelte';

/** Commands for an item of the core. */
export interface CoreCommands {
  readonly change: (item: CoreItem, status: CoreItemStatus) => void;
  readonly edit: (item: CoreItem, purpose: CorePurpose) => void;
  /** Moves it to the place of another item of its kind. */
  readonly move: (item: CoreItem, placeOf: string) => void;
  /** Why the last command on an item failed. */
  readonly failureOf: (id: string) => string | null;
  readonly reveal: (entryId: string) => void;
}
