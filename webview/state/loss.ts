import type { ArtifactKind } from '../../extension/engine/compaction/loss-report';
import type { LossView } from '../../extension/protocol/view';

const kindNouns: Readonly<Record<ArtifactKind, readonly [string, string]>> = {
  file: ['file', 'files'],
  identifier: ['identifier', 'identifiers'],
  error: ['error', 'errors'],
  test: ['test', 'tests'],
  number: ['number', 'numbers'],
  constraint: ['constraint', 'constraints'],
  direction: ['direction of the person', 'directions of the person'],
};

export function artifactNoun(kind: ArtifactKind, count: number): string {
  return kindNouns[kind][count === 1 ? 0 : 1];
}

export interface LossTotals {
  readonly kept: number;
  readonly lost: number;
}

export function lossTotals(loss: LossView): LossTotals {
  return loss.groups.reduce(
    (totals, { kept, lost }) => ({ kept: totals.kept + kept.length, lost: totals.lost + lost.length }),
    loss.omitted ?? { kept: 0, lost: 0 },
  );
}

/** `38 of 41 names kept`, or that there was nothing to lose. */
export function lossSummary({ kept, lost }: LossTotals): string {
  const all = kept + lost;
  if (all === 0) return 'no named things in what is replaced';
  return lost === 0 ? `all ${all} names kept` : `${kept} of ${all} names kept`;
}
