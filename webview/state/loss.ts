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
  readonly paraphrased: number;
  readonly lost: number;
}

export function lossTotals({ groups, omitted = { kept: 0, lost: 0 } }: LossView): LossTotals {
  return groups.reduce(
    (totals, { kept, paraphrased, lost }) => ({
      kept: totals.kept + kept.length,
      paraphrased: totals.paraphrased + paraphrased.length,
      lost: totals.lost + lost.length,
    }),
    { ...omitted, paraphrased: 0 },
  );
}

/** `38 of 41 names kept`, or that there was nothing to lose. */
export function lossSummary({ kept, paraphrased, lost }: LossTotals): string {
  const all = kept + paraphrased + lost;
  if (all === 0) return 'no named things in what is replaced';
  const verbatim = kept === all ? `all ${all} names kept` : `${kept} of ${all} names kept`;
  return paraphrased === 0 ? verbatim : `${verbatim}, ${paraphrased} in other words`;
}

/** Everything that can be put back, in the order of the report. */
export function lostTexts({ groups }: LossView): readonly string[] {
  return groups.flatMap(({ lost }) => lost.map(({ text }) => text));
}
