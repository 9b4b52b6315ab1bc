import type { RepeatEstimates } from '../../../extension/evaluation/measure/replay';
import type { Estimate } from '../../../extension/evaluation/measure/report';
import type { ReplayView } from '../../../extension/protocol/evaluation';
import { t } from '../../l10n';
import { formatCount, formatTokens } from '../shared/format';

/** A table of what a replay found beside the ways of compacting. The first column names the row. */
export interface Finding {
  readonly id: 'behaviour' | 'spared' | 'cache' | 'schedule' | 'peers' | 'shadow';
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Those that the replay has. */
export function findingsOf(replay: ReplayView): readonly Finding[] {
  return [...behaviour(replay), ...schedule(replay), ...peers(replay), ...shadow(replay)].filter(
    ({ rows }) => rows.length > 0,
  );
}

function behaviour({ behaviour: found }: ReplayView): Finding[] {
  if (found === null) return [];
  const row = (title: string, { after, matched, difference }: RepeatEstimates, digits: number) => [
    title,
    ...[after, matched, difference].map((estimate) => numbers(estimate, digits)),
  ];
  return [
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
      title: t('What of that would have been spared'),
      note: t('Share of the repeated output that the context of each strategy still has, with its own parameters.'),
      columns: [t('Way'), t('Spared'), t('Tokens left')],
      rows: found.spared.map(({ way, estimate, tokens }) => [way, shares(estimate), formatTokens(tokens)]),
    },
  ];
}

function schedule({ schedule: found }: ReplayView): Finding[] {
  if (found === null) return [];
  return [
    {
      id: 'cache',
      title: t('What prompts cost'),
      note: t(
        'A model of the prompt cache against the counters of the sessions; each project is predicted from the others.',
      ),
      columns: [t('Agent'), t('Sessions'), t('Requests'), t('Cache kept for'), t('Error of the costs')],
      rows: found.cache.map(({ agent, sessions, requests, lifetime, error }) => [
        agent,
        formatCount(sessions),
        formatCount(requests),
        t('{0} minutes', lifetime),
        error === null ? '–' : `${(error * 100).toFixed(1)} %`,
      ]),
    },
    {
      id: 'schedule',
      title: t('Schedules of compactions'),
      note: t(
        'Simulated over {0} sessions: cost above the best in hindsight, and in how many sessions it cost more than without compactions.',
        formatCount(found.sessions),
      ),
      columns: [t('Schedule'), t('Above the best'), t('Dearer than without')],
      rows: found.schedules.map(({ schedule: name, regret, dearer }) => [name, shares(regret), formatCount(dearer)]),
    },
  ];
}

function peers({ peers: found }: ReplayView): Finding[] {
  return [
    {
      id: 'peers',
      title: t('Published algorithms in the same tokens'),
      note: t(
        'A quarter of the tokens of what is replaced. Over budget: boundaries at which it does not get that small.',
      ),
      columns: [t('Algorithm'), t('Names'), t('Directions'), t('Tokens'), t('Over budget')],
      rows: found.map(({ way, names, messages, tokens, overBudget, boundaries }) => [
        way,
        shares(names),
        shares(messages),
        formatTokens(tokens),
        t('{0} of {1}', formatCount(overBudget), formatCount(boundaries)),
      ]),
    },
  ];
}

function shadow({ shadow: found }: ReplayView): Finding[] {
  return [
    {
      id: 'shadow',
      title: t('Compactions prepared some steps ahead'),
      note: t(
        'Names that the work needed after these steps, at equal tokens. Differences in points: against the block as it was written at once, and with the names used most before.',
      ),
      columns: [t('Strategy'), t('Steps'), t('Way'), t('Names'), t('Over at once'), t('Over with names')],
      rows: found.map(({ strategy, steps, way, names, overAtOnce, overNames }) => [
        strategy,
        formatCount(steps),
        way,
        shares(names),
        points(overAtOnce),
        points(overNames),
      ]),
    },
  ];
}

function numbers({ mean, low, high }: Estimate, digits: number): string {
  return interval([mean, low, high].map((value) => value.toFixed(digits)));
}

function shares(estimate: Estimate | null): string {
  if (estimate === null) return '–';
  const { mean, low, high } = estimate;
  return `${interval([mean, low, high].map((value) => (value * 100).toFixed(0)))} %`;
}

function points({ mean, low, high }: Estimate): string {
  return interval([mean, low, high].map((value) => `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`));
}

function interval([mean = '', low = '', high = '']: readonly string[]): string {
  return `${mean} [${low}, ${high}]`;
}
