import type { ScheduleReport } from './schedule-report';

const percent = (share: number, digits = 0) => `${(share * 100).toFixed(digits)} %`;

/** The schedules as Markdown. */
export function scheduleSection(report: ScheduleReport | null): string[] {
  if (report === null) return [];
  const { cache, sessions, schedules } = report;
  return [
    '## What prompts cost',
    '',
    'The model of the prompt cache against the counters of the sessions, each project predicted from the others:',
    '',
    '| agent | sessions | projects | requests | lifetime | lost from the cache | error of all | median error of a session, without losses |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...cache.map(
      ({ agent, sessions: count, projects, requests, lifetime, lost, error, medianError }) =>
        `| ${agent} | ${count} | ${projects} | ${requests} | ${lifetime} minutes | ${percent(lost, 1)} | ${
          error === null ? '–' : percent(error, 1)
        } | ${medianError === null ? '–' : percent(medianError, 1)} |`,
    ),
    '',
    ...(schedules.length === 0
      ? []
      : [
          `Schedules of compactions simulated over ${sessions} sessions: cost above the best in hindsight [95 % interval by bootstrap over`,
          'projects], and in how many sessions it cost more than without.',
          '',
          '| schedule | above the best | dearer than without |',
          '| --- | --- | --- |',
          ...schedules.map(
            ({ schedule, regret: { mean, low, high }, dearer }) =>
              `| ${schedule} | ${percent(mean)} [${percent(low)}, ${percent(high)}] | ${dearer} |`,
          ),
          '',
        ]),
  ];
}
