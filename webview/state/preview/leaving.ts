import type { PreviewView, Row } from '../../../extension/protocol/view';
import { stratumOf } from '../timeline/row-text';

/** The rows that a preview would replace, by key, with the kind of the block that would stand for them. */
export type Leaving = ReadonlyMap<string, Row['kind']>;

export const noneLeaving: Leaving = new Map();

export function leavingOf({ blocks }: PreviewView): Leaving {
  return new Map(blocks.flatMap(({ leaving, tag }) => leaving.map((key) => [key, stratumOf(tag)] as const)));
}
