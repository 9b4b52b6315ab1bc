import type { ArtifactKind, MatterKind } from '../../../extension/engine/language/loss-report';
import type { LossView } from '../../../extension/protocol/view';
import { t } from '../../l10n';

const kindNouns: Readonly<Record<ArtifactKind, readonly [string, string]>> = {
  file: [t('file'), t('files')],
  identifier: [t('identifier'), t('identifiers')],
  error: [t('error'), t('errors')],
  test: [t('test'), t('tests')],
  number: [t('number'), t('numbers')],
  constraint: [t('constraint'), t('constraints')],
  direction: [t('direction of the person'), t('directions of the person')],
};

export function artifactNoun(kind: ArtifactKind, count: number): string {
  return kindNouns[kind][count === 1 ? 0 : 1];
}

const matterNouns: Readonly<Record<MatterKind, string>> = {
  goal: t('Goals'),
  direction: t('Directions'),
  decision: t('Decisions'),
  finding: t('Findings'),
  open: t('Open work'),
  name: t('Names'),
};

export function matterNoun(kind: MatterKind): string {
  return matterNouns[kind];
}

/** Below this percentage of what matters, a block is worth a look. */
const enoughKept = 70;

export function isLittle(percent: number): boolean {
  return percent < enoughKept;
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

/** `38 of 41 names kept`, or a text saying that there were no names. */
export function lossSummary({ kept, paraphrased, lost }: LossTotals): string {
  const all = kept + paraphrased + lost;
  if (all === 0) return t('no named things in what is replaced');
  const verbatim = kept === all ? t('all {0} names kept', all) : t('{0} of {1} names kept', kept, all);
  return paraphrased === 0 ? verbatim : t('{0}, {1} in other words', verbatim, paraphrased);
}

/** All texts that can be put back, in the order of the report. */
export function lostTexts({ groups }: LossView): readonly string[] {
  return groups.flatMap(({ lost }) => lost.map(({ text }) => text));
}
