import { type HeldPerToken, heldPerToken } from './held-per-token';
import { type MetricId, metricIds, metricOf } from './metrics';
import type { Difference, Estimate, EvaluationReport, Verdict } from './report';
import type { RespondentId } from './results';

/** A reader measures which information survived, not what an agent would do with it. */
function measurementText({ kind, name }: RespondentId): string {
  return kind === 'reader'
    ? 'information survival: a reader without a model quotes what it finds in the context; nothing here says what an agent would do'
    : `what the model ${name} answers from the context; its choices between options (alignment, violations, revived goals, restarted work) say little, because the right option can be guessed`;
}

const inTables = metricIds.filter((id) => metricOf[id].inTables ?? true);

/** Without a judge there are no ratings. */
function columnsOf({ settings }: EvaluationReport): readonly MetricId[] {
  return settings.judge === null ? inTables.filter((metric) => metric !== 'rating') : inTables;
}

/** The report as Markdown: settings, all contenders with intervals, and the clear differences. */
export function reportMarkdown(report: EvaluationReport): string {
  const { units, unusable, settings, madeWith } = report;
  const isWhole = units.done === units.of;
  return [
    '# Goal drift under compaction',
    '',
    ...(report.verdict === null ? [] : [`**${verdictSentence(report.verdict)}**`, '']),
    `- Measured: ${measurementText(settings.respondent)}.`,
    `- ${report.tasks.length} tasks, seeds ${report.seeds.join(', ')}, probed after compactions ${report.compactions.join(', ')}; a compaction every ${settings.every.count} ${settings.every.kind}, window ${settings.window} tokens${settings.target === undefined ? '' : `, contexts of at most ${settings.target} tokens`}.`,
    `- Summaries: ${settings.summarizer.model ?? settings.summarizer.name}; verification: ${settings.verification}; judge: ${settings.judge ?? 'none'}; similarity: ${settings.embedder}.`,
    `- Strata ${madeWith.strata}, Node ${madeWith.node}.`,
    `- Units: ${units.done} of ${units.of}${isWhole ? '' : ' — **incomplete: the numbers cover only the finished units**'}.`,
    ...(unusable > 0 ? [`- ${unusable} answers could not be used and are excluded from all numbers.`] : []),
    ...report.contenders.flatMap(leftOut),
    '',
    '## After all probed compactions',
    '',
    'Mean [95 % interval by bootstrap over tasks] (values). Shares are in percent. Violations, revived goals and restarted work: the share of wrong options of that kind that nothing found in the context rules out (for a model: that it chose).',
    '',
    ...tableOf(report, columnsOf(report)),
    '',
    '## Held per token',
    '',
    'Held: mean of goal survival, constraint recall, alignment and artifact recall. Kept: tokens of the context, of all that was said. Beaten by: the contender with the same keeper of its core that holds most, more than this one and in no more tokens. Means alone; the intervals are above.',
    '',
    ...markdownTable(['contender', 'held', 'kept', 'held / kept', 'beaten by'], heldPerToken(report).map(heldRow)),
    '',
    '## Goal survival by compaction',
    '',
    ...byCompaction(report, 'goal-survival'),
    '',
    '## Constraint recall by compaction',
    '',
    ...byCompaction(report, 'constraint-recall'),
    '',
    '## Differences',
    '',
    'Paired by task, seed and compaction. Left out if the interval contains 0. There is no correction for multiple comparisons: of a hundred comparisons without a real difference, about five look clear.',
    '',
    ...differenceLines(report),
    '',
  ].join('\n');
}

/** `Most was held by ladder: 88 % of goals, rules, next actions and names, in 34 % of the tokens; …` */
export function verdictSentence({ best, asMuch, baseline: compared, better, worse }: Verdict): string {
  const equal = asMuch.map(({ contender, kept }) => `${contender} in ${percent(kept)}`).join(', ');
  const most = `Most was held by ${best.contender}: ${percent(best.held)} of goals, rules, next actions and names, in ${percent(best.kept)} of the tokens`;
  const held = equal === '' ? most : `${most}, as much by ${equal}`;
  if (compared === null) return `${held}.`;
  const against = `${compared.contender} held ${percent(compared.held)} in ${percent(compared.kept)}`;
  return `${held}; ${against}. ${clearWords(better, worse, compared.contender)}`;
}

function clearWords(better: readonly MetricId[], worse: readonly MetricId[], against: string): string {
  if (better.length + worse.length === 0) return `The difference from ${against} is not clear.`;
  const parts = [
    ...(better.length > 0 ? [`clearly more ${titles(better)}`] : []),
    ...(worse.length > 0 ? [`clearly less ${titles(worse)}`] : []),
  ];
  return `Against ${against}: ${parts.join(', ')}.`;
}

function titles(ids: readonly MetricId[]): string {
  return ids.map((id) => metricOf[id].title).join(', ');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function leftOut({ key, boundaries, uncompacted, unusable }: EvaluationReport['contenders'][number]): string[] {
  return [
    ...(uncompacted > 0
      ? [
          `- ${key} compacted nothing at ${uncompacted} of ${boundaries} boundaries, which are excluded from all numbers.`,
        ]
      : []),
    ...(unusable > 0 ? [`- ${key}: ${unusable} unusable answers.`] : []),
  ];
}

function tableOf(report: EvaluationReport, columns: readonly MetricId[]): string[] {
  return markdownTable(
    ['contender', ...columns.map((metric) => metricOf[metric].title)],
    report.contenders.map(({ key }) => [key, ...columns.map((metric) => cell(report, key, metric, null))]),
  );
}

function heldRow({ contender, held, kept, perToken, beatenBy }: HeldPerToken): string[] {
  return [contender, (held * 100).toFixed(0), (kept * 100).toFixed(0), perToken.toFixed(1), beatenBy ?? 'none'];
}

function byCompaction(report: EvaluationReport, metric: MetricId): string[] {
  const columns = [...new Set(report.cells.flatMap(({ compaction }) => compaction ?? []))].sort((a, b) => a - b);
  return markdownTable(
    ['contender', ...columns.map((compaction) => `after ${compaction}`)],
    report.contenders.map(({ key }) => [key, ...columns.map((compaction) => cell(report, key, metric, compaction))]),
  );
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function cell({ cells }: EvaluationReport, contender: string, metric: MetricId, compaction: number | null): string {
  const found = cells.find(
    (each) => each.contender === contender && each.metric === metric && each.compaction === compaction,
  );
  return found?.estimate ? estimateText(found.estimate, metric) : '–';
}

/** `72 [61, 83] (48)` for shares, in percent. */
function estimateText({ mean, low, high, count }: Estimate, metric: MetricId): string {
  const [one, from, to] = [mean, low, high].map((value) => numberText(value, metric));
  return `${one} [${from}, ${to}] (${count})`;
}

function numberText(value: number, metric: MetricId): string {
  const { unit } = metricOf[metric];
  if (unit === 'share') return (value * 100).toFixed(0);
  return unit === 'rating' ? value.toFixed(2) : value.toFixed(0);
}

function differenceLines({ differences }: EvaluationReport): string[] {
  const clear = differences.filter(({ verdict, metric }) => verdict !== 'unclear' && inTables.includes(metric));
  if (clear.length === 0) return ['No difference is clear.'];
  return clear.map(differenceLine);
}

function differenceLine({ contender, against, metric, estimate, verdict }: Difference): string {
  const sign = estimate.mean > 0 ? '+' : '';
  return `- ${contender} is ${verdict} than ${against} in ${metricOf[metric].title}: ${sign}${estimateText(estimate, metric)}`;
}

/** One line per boundary of a unit. */
export function reportCsv({ points }: EvaluationReport): string {
  const head = ['contender', 'task', 'seed', 'compaction', ...metricIds];
  const lines = points.map(({ contender, task, seed, compaction, scores }) => [
    ...[contender, task, seed, compaction],
    ...metricIds.map((id) => rounded(scores[id])),
  ]);
  return `${[head, ...lines].map((cells) => cells.join(',')).join('\n')}\n`;
}

function rounded(value: number | undefined): string {
  return value === undefined ? '' : String(Math.round(value * 10_000) / 10_000);
}
