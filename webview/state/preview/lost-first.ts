import type { MatterKind } from '../../../extension/engine/language/loss-report';
import type { LossItem, MatterGroup, PreviewView } from '../../../extension/protocol/view';

/** What a person cares about, most first. Names are a number only. */
const order: readonly MatterKind[] = ['goal', 'direction', 'decision', 'finding', 'open', 'name'];

/** One kind of what matters, over all blocks of a preview. */
export interface LostKind {
  readonly kind: MatterKind;
  readonly kept: number;
  readonly total: number;
  /** Empty for names. */
  readonly lost: readonly LossItem[];
}

export function lostFirst({ blocks }: PreviewView): readonly LostKind[] {
  const groups = blocks.flatMap(({ loss }) => loss.matters?.kinds ?? []);
  return order.flatMap((kind) => {
    const ofKind = groups.filter((group) => group.kind === kind);
    return ofKind.length === 0 ? [] : [summed(kind, ofKind)];
  });
}

function summed(kind: MatterKind, groups: readonly MatterGroup[]): LostKind {
  const sum = (count: (group: MatterGroup) => number) => groups.reduce((total, group) => total + count(group), 0);
  return {
    kind,
    kept: sum(({ kept }) => kept),
    total: sum(({ total }) => total),
    lost: kind === 'name' ? [] : groups.flatMap(({ lost }) => lost),
  };
}
