import type { EvaluationReport } from '../../../extension/evaluation/measure/report';
import type { EvaluationSettings } from '../../../extension/evaluation/measure/results';
import type { minClusters } from '../../../extension/evaluation/measure/statistics';
import type { TaskKind } from '../../../extension/evaluation/measure/tasks/task';
import { t } from '../../l10n';
import type { Fact } from '../shared/cost';
import { formatCount, formatTokens } from '../shared/format';

export const taskKindWords: Readonly<Record<TaskKind, string>> = {
  research: t('research'),
  design: t('design'),
  refactoring: t('refactoring'),
  migration: t('migration'),
  debugging: t('debugging'),
  operations: t('operations'),
  data: t('data'),
  writing: t('writing'),
  planning: t('planning'),
};

/** Says what the numbers measure. A reader knows nothing itself, so it can only find what is still in the context. */
export function respondentWords({ respondent }: Pick<EvaluationSettings, 'respondent'>): string {
  return respondent.kind === 'reader'
    ? t('Answered by a reader without a model: information survival')
    : t('Answered by model {0}', respondent.name);
}

export function respondentNote({ respondent }: Pick<EvaluationSettings, 'respondent'>): string {
  return respondent.kind === 'reader'
    ? t('It shows what can still be read in the context, not how an agent would behave.')
    : t(
        'It shows what this model answers with this context, not what every model would. Its choices between options say little, because the right option can be guessed.',
      );
}

const fewestTasks: typeof minClusters = 6;

/** The settings of the run, each with an explanation. */
export function runFacts({ settings, madeWith, time, tasks, seeds }: EvaluationReport): readonly Fact[] {
  const { every, summarizer, judge, embedder, window, probedAfter } = settings;
  return [
    { text: sizeWords(tasks.length, seeds.length), note: t('Each task is played with each seed, by each contender') },
    { text: t('asked after compactions {0}', probedAfter.join(', ')), note: t('Before and after each of them') },
    { text: everyWords(every), note: t('When a compaction runs') },
    {
      text: t('window {0}', formatTokens(window)),
      note: t('In tokens; the parameters of strategies are scaled to this window'),
    },
    { text: t('summaries by {0}', summarizer.model ?? summarizer.name), note: t('Who writes the summaries') },
    { text: t('embeddings: {0}', embedder), note: t('What goal coherence is measured with') },
    { text: judge === null ? t('no judge') : t('judge: {0}', judge), note: t('Who rates proposed actions') },
    { text: t('Strata {0}', madeWith.strata), note: t('Node {0}, {1}', madeWith.node, time) },
  ];
}

function sizeWords(tasks: number, seeds: number): string {
  const words = tasks === 1 ? t('1 task') : t('{0} tasks', tasks);
  return `${words} × ${seeds === 1 ? t('1 seed') : t('{0} seeds', seeds)}`;
}

function everyWords({ kind, count }: EvaluationSettings['every']): string {
  return kind === 'tokens'
    ? t('a compaction every {0} tokens', formatTokens(count))
    : t('a compaction every {0} turns', count);
}

/** Who held most, in how many tokens, and whether that is clearly more than the baseline. */
export function verdictSentence(verdict: NonNullable<EvaluationReport['verdict']>): string {
  const { best, asMuch, baseline, better, worse } = verdict;
  const most = t(
    '{0} kept the most: {1} % of goals, rules, next actions and names, in {2} % of the tokens.',
    best.contender,
    percent(best.held),
    percent(best.kept),
  );
  const equal = asMuch.map(({ contender, kept }) => t('{0} in {1} %', contender, percent(kept))).join(', ');
  const held = equal === '' ? most : `${most} ${t('The same share was kept by {0}.', equal)}`;
  if (baseline === null) return held;
  const compared = t('{0} kept {1} % in {2} %.', baseline.contender, percent(baseline.held), percent(baseline.kept));
  return `${held} ${compared} ${clearWords(best.contender, better.length, worse.length)}`;
}

function clearWords(best: string, better: number, worse: number): string {
  if (better === 0 && worse === 0) return t('The difference is not clear.');
  if (worse === 0) return t('{0} is clearly better in {1} of these four.', best, better);
  if (better === 0) return t('{0} is clearly worse in {1} of these four.', best, worse);
  return t('{0} is clearly better in {1} of these four, and clearly worse in {2}.', best, better, worse);
}

function percent(share: number): number {
  return Math.round(share * 100);
}

export function unitsWords({ units }: Pick<EvaluationReport, 'units'>): string {
  return t('{0} of {1} units done', formatCount(units.done), formatCount(units.of));
}

function uncompactedWords({ key, uncompacted, boundaries }: EvaluationReport['contenders'][number]): string {
  return t(
    '{0} compacted nothing at {1} of {2} boundaries, which are excluded from all numbers.',
    key,
    formatCount(uncompacted),
    formatCount(boundaries),
  );
}

/** Limitations that a reader must know before using the numbers. */
export function cautions({ units, unusable, points, contenders }: EvaluationReport): readonly string[] {
  const tasks = new Set(points.map(({ task }) => task)).size;
  return [
    ...(units.done < units.of
      ? [
          t(
            'Incomplete: {0} of {1} units are finished. Contenders may have been played on different tasks.',
            formatCount(units.done),
            formatCount(units.of),
          ),
        ]
      : []),
    ...(unusable > 0
      ? [
          unusable === 1
            ? t('1 answer could not be used and is excluded from all numbers.')
            : t('{0} answers could not be used and are excluded from all numbers.', formatCount(unusable)),
        ]
      : []),
    ...contenders.filter(({ uncompacted }) => uncompacted > 0).map(uncompactedWords),
    ...(tasks < fewestTasks
      ? [t('Fewer than {0} tasks: no difference can count as better or worse.', fewestTasks)]
      : []),
  ];
}
