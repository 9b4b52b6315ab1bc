import type { CoreItem, CoreItemStatus } from '../../../extension/engine/core/core';
import type { CorePurpose } from '../../state/core/core-editor.svelte';

/** What a person can have done with an item of the core. */
export interface CoreCommands {
  readonly change: (item: CoreItem, status: CoreItemStatus) => void;
  readonly edit: (item: CoreItem, purpose: CorePurpose) => void;
  /** To the place of another item of its kind. */
  readonly move: (item: CoreItem, placeOf: string) => void;
  /** Why nothing came of the last of these for an item. */
  readonly failureOf: (id: string) => string | null;
  readonly reveal: (entryId: string) => void;
}
