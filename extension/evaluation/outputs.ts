import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../platform/files/replace-file';
import type { EvaluationResults } from './measure/evaluation-results';
import type { ReplayReport } from './measure/replay';
import type { EvaluationReport } from './measure/report';
import { reportCsv, reportMarkdown } from './measure/report-text';
import { pageHtml } from './page-html';

/** Files that a run writes to its folder. */
export const fileNames = {
  results: 'results.jsonl',
  replay: 'replay.json',
  replayRecords: 'replay.jsonl',
  replayText: 'replay.md',
  dashboard: 'dashboard.html',
  report: 'report.md',
  scores: 'scores.csv',
} as const;

/** Writes the report in all its formats beside the results. `page` is the folder with the built dashboard. */
export async function writeReports(
  folder: string,
  results: EvaluationResults,
  report: EvaluationReport,
  page: string,
): Promise<void> {
  await replaceFile(join(folder, fileNames.report), reportMarkdown(report));
  await replaceFile(join(folder, fileNames.scores), reportCsv(report));
  await replaceFile(join(folder, fileNames.dashboard), await dashboardPage({ results, replay: null }, page));
}

export interface DashboardContent {
  readonly results: EvaluationResults | null;
  readonly replay: ReplayReport | null;
}

/** The dashboard as one self-contained HTML file. */
export async function dashboardPage(content: DashboardContent, page: string): Promise<string> {
  const part = (name: string) => readFile(join(page, name), 'utf8');
  const [script, style] = await Promise.all([part('dashboard.js'), part('dashboard.css')]);
  return await pageHtml({ script, style, ...content });
}
