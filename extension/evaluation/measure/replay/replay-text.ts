import type { RepeatEstimates, ReplayBehaviour, ReplayCell, ReplayDifference, ReplayReport } from '../replay';
import type { Estimate } from '../report';

const kindTitles: Readonly<Record<ReplayCell['kind'], string>> = {
  agent: 'At the compactions that agents made',
  simulated: 'At simulated boundaries',
};

const measureTitles: Readonly<Record<ReplayCell['measure'], string>> = {
  names: 'names that later work used',
  messages: 'messages of the person word for word',
};

/** The replay as Markdown: what each way keeps at equal tokens, and the clear differences. */
export function replayMarkdown(report: ReplayReport): string {
  const { sessions, measured, skipped, madeWith, cells, differences, behaviour } = report;
  return [
    '# What later work needed, and what was still there',
    '',
    '- Measured: information survival at equal tokens, without a model; nothing here says what an agent would do.',
    `- ${sessions} sessions, ${measured.agent + measured.simulated} boundaries; ${skipped.length} things left out, listed at the end.`,
    `- Strata ${madeWith.strata}, Node ${madeWith.node}.`,
    '',
    ...(['agent', 'simulated'] as const).flatMap((kind) => tableOf(kind, cells)),
    ...behaviourSection(behaviour),
    '## Differences',
    '',
    'Paired by boundary: against the agent’s own summary where it made one, else against `checkpoint`.',
    '',
    ...clearDifferences(differences),
    '',
    ...(skipped.length > 0
      ? ['## Left out', '', ...skipped.map(({ file, reason }) => `- ${file}: ${reason}`), '']
      : []),
  ].join('\n');
}

function tableOf(kind: ReplayCell['kind'], cells: readonly ReplayCell[]): string[] {
  const ofKind = cells.filter((cell) => cell.kind === kind);
  const ways = [...new Set(ofKind.map(({ way }) => way))];
  if (ways.length === 0) return [];
  const find = (way: string, measure: ReplayCell['measure']) =>
    ofKind.find((cell) => cell.way === way && cell.measure === measure);
  return [
    `## ${kindTitles[kind]}`,
    '',
    'Mean share in percent [95 % interval by bootstrap over sessions] (boundaries).',
    '',
    `| way | ${measureTitles.names} | ${measureTitles.messages} | mean tokens | over the budget |`,
    '| --- | --- | --- | --- | --- |',
    ...ways.map((way) => {
      const [names, messages] = [find(way, 'names'), find(way, 'messages')];
      const tokens = Math.round((names ?? messages)?.tokens ?? 0);
      return `| ${way} | ${shareText(names?.estimate)} | ${shareText(messages?.estimate)} | ${tokens} | ${names?.overBudget ?? 0} |`;
    }),
    '',
  ];
}

/** The part of the report about work that agents repeated after their compactions, and how much of it each strategy would have avoided. */
function behaviourSection(behaviour: ReplayBehaviour | null): string[] {
  if (behaviour === null) return [];
  const { calls, tokens, spared, compactions } = behaviour;
  const line = (title: string, { after, matched, difference }: RepeatEstimates, digits: number) =>
    `| ${title} | ${number(after, digits)} | ${number(matched, digits)} | ${number(difference, digits)} |`;
  return [
    '## What agents did again',
    '',
    `For each ten calls that read or searched, after ${compactions} compactions of ${calls.after.tasks} projects and at matched points of`,
    'the same sessions without one: outputs that repeat an earlier call and were not changed since. Means [95 % interval by bootstrap',
    'over projects].',
    '',
    '| | after a compaction | at matched points | difference |',
    '| --- | --- | --- | --- |',
    line('repeated calls', calls, 2),
    line('repeated tokens', tokens, 0),
    '',
    ...(spared.length === 0
      ? []
      : [
          'Share of the repeated output that the context of each strategy, with its own parameters, still has:',
          '',
          '| way | spared | mean tokens left of what was replaced |',
          '| --- | --- | --- |',
          ...spared.map(({ way, estimate, tokens: left }) => `| ${way} | ${shareText(estimate)} | ${left} |`),
          '',
        ]),
  ];
}

function number({ mean, low, high }: Estimate, digits: number): string {
  const [middle, least, most] = [mean, low, high].map((value) => value.toFixed(digits));
  return `${middle} [${least}, ${most}]`;
}

function clearDifferences(differences: readonly ReplayDifference[]): string[] {
  const clear = differences.filter(({ verdict }) => verdict !== 'unclear');
  if (clear.length === 0) return ['No difference is clear.'];
  return clear.map(
    ({ way, measure, estimate, verdict }) =>
      `- ${way} is ${verdict} in ${measureTitles[measure]}: ${estimate.mean > 0 ? '+' : ''}${shareText(estimate)}`,
  );
}

/** A mean share in percent, with its interval and the number of values. */
export function shareText(estimate: Estimate | null | undefined): string {
  return estimate ? `${percentText(estimate)} (${estimate.count})` : '–';
}

export function percentText({ mean, low, high }: Estimate): string {
  const [middle, least, most] = [mean, low, high].map((value) => (value * 100).toFixed(0));
  return `${middle} [${least}, ${most}]`;
}
