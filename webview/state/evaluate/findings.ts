import type { RepeatEstimates } from '../../../extension/evaluation/measure/replay';
import type { Estimate } from '../../../extension/evaluation/measure/report';
import type { ReplayView } from '../../../extension/protocol/evaluation';
import { t } from '../../l10n';
import { formatCount, formatTokens } from '../shared/format';

/** A table of what a replay found beside the ways of compacting. The first column names the row. */
interface Finding {
  readonly id: 'behaviour' | 'spared';
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The findings of the replay; a kind without rows is left out. */
export function findingsOf({ behaviour: found }: ReplayView): readonly Finding[] {
  if (found === null) return [];
  const row = (title: string, { after, matched, difference }: RepeatEstimates, digits: number) => [
    title,
    ...[after, matched, difference].map((estimate) => numbers(estimate, digits)),
  ];
  const findings: Finding[] = [
    {
      id: 'behaviour',
      title: t('What agents did again'),
      note: t(
        'For each ten calls that read or searched, after {0} compactions and at matched points of the same sessions without one. The interval is by bootstrap over projects.',
        formatCount(found.compactions),
      ),
      columns: [t('Repeated'), t('After a compaction'), t('At matched points'), t('Difference')],
      rows: [row(t('Calls'), found.calls, 2), row(t('Tokens'), found.tokens, 0)],
    },
    {
      id: 'spared',
      title: t('How much of it each strategy would have avoided'),
      note: t('Share of the repeated output that the context of each strategy still has, with its own parameters.'),
      columns: [t('Way'), t('Avoided'), t('Tokens left')],
      rows: found.spared.map(({ way, estimate, tokens }) => [way, shares(estimate), formatTokens(tokens)]),
    },
  ];
  return findings.filter(({ rows }) => rows.length > 0);
}

function numbers({ mean, low, high }: Estimate, digits: number): string {
  return interval([mean, low, high].map((value) => value.toFixed(digits)));
}

function shares({ mean, low, high }: Estimate): string {
  return `${interval([mean, low, high].map((value) => (value * 100).toFixed(0)))} %`;
}

function interval([mean = '', low = '', high = '']: readonly string[]): string {
  return `${mean} [${low}, ${high}]`;
}
