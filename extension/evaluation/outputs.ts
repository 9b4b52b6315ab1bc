import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFile } from '../platform/files/private-modes';
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

/** Writes to a temporary file and renames it, so that a reader never sees half a file. For this person alone: it may quote sessions. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  // Other users may write to the folder, so the name is random and links are not followed.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: privateFile });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
