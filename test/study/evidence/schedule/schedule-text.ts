import type { Estimate } from '../../../../extension/evaluation/measure/report';
import type { ScheduleFigures, ScheduleReport } from './schedule-report';
import { usualSchedule } from './schedules';

const percent = (share: number, digits = 0) => `${(share * 100).toFixed(digits)} %`;

/** The schedules as Markdown. */
export function scheduleSection(report: ScheduleReport | null): string[] {
  if (report === null) return [];
  const { cache, sessions, schedules, fitted, lengths } = report;
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
    ...(lengths.checks.length === 0 ? [] : lengthLines(report)),
    ...(schedules.length === 0
      ? []
      : [
          `Schedules of compactions between turns, simulated over ${sessions} sessions. Cost above the best in hindsight, and share saved against no`,
          'compaction but those that must be [95 % interval by bootstrap over projects]; sessions that cost more than with these; compactions, and of them those within a turn.',
          '',
          'Projects to which nothing was fitted:',
          '',
          ...scheduleTable(schedules),
          ...(fitted.length === 0
            ? []
            : ['Projects to which the expected rest of a session was fitted:', '', ...scheduleTable(fitted)]),
        ]),
  ];
}

function scheduleTable(schedules: readonly ScheduleFigures[]): string[] {
  return [
    `| schedule | above the best | saved | saved against “${usualSchedule}” | dearer than without | compactions (within a turn) |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...schedules.map(
      ({ schedule, regret, saved, savedAgainstSize, dearer, compactions, forced }) =>
        `| ${schedule} | ${interval(regret)} | ${interval(saved, 1)} | ${interval(savedAgainstSize, 1)} | ${dearer} | ${compactions} (${forced}) |`,
    ),
    '',
  ];
}

function lengthLines({ lengths: { fit, checks } }: ScheduleReport): string[] {
  return [
    ...(fit ? [`Lengths of sessions, fitted: scale ${fit.scale}, shape ${fit.shape.toFixed(2)}.`, ''] : []),
    'Sessions of the other projects that went on for as many requests as expected:',
    '',
    '| requests so far | expected | sessions | continued for that |',
    '| --- | --- | --- | --- |',
    ...checks.map(
      ({ requests, expected, sessions, share }) => `| ${requests} | ${expected} | ${sessions} | ${percent(share)} |`,
    ),
    '',
  ];
}

function interval({ mean, low, high }: Estimate, digits = 0): string {
  return `${percent(mean, digits)} [${percent(low, digits)}, ${percent(high, digits)}]`;
}
