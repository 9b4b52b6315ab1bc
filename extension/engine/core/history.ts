import type { CoreItemStatus } from './core';

/** An event in the life of one core item. */
export type CoreItemEvent =
  | { readonly kind: 'proposed' | 'pinned'; readonly time: string; readonly by: string | null }
  | { readonly kind: 'status'; readonly time: string; readonly from: CoreItemStatus; readonly to: CoreItemStatus }
  | {
      readonly kind: 'edited';
      readonly time: string;
      readonly before: string;
      readonly after: string;
      readonly rationaleBefore: string | null;
    };
