import { join, resolve } from 'node:path';
import { replayMarkdown } from '../../evaluation/measure/replay/replay-text';
import { dashboardPage, fileNames, replaceFile } from '../../evaluation/outputs';
import { replaySessions } from '../../evaluation/sessions/replay-sessions';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { interruptSignal } from '../interrupt';
import { print, printJson } from '../opened';
import { strataVersion } from '../version';
import { outFolder } from './out-folder';
import { pageFolder } from './page-folder';
import { progressLine } from './progress';

interface ReplayCommand {
  readonly out: string;
  readonly json?: boolean;
}

/** Measures what later work in the session files of a folder needed, and how much of it each strategy keeps. */
export async function replay(sessions: string, options: ReplayCommand): Promise<void> {
  const folder = await outFolder(options.out);
  const line = progressLine(process.stderr);
  const report = await replaySessions(resolve(sessions), {
    tools: toolsWithoutModel,
    signal: interruptSignal(),
    onProgress: ({ done, of, file }) => line.show(done, of, file),
    now: () => new Date().toISOString(),
    madeWith: { strata: strataVersion, node: process.version },
  }).finally(line.end);
  await replaceFile(join(folder, fileNames.replay), `${JSON.stringify(report)}\n`);
  await replaceFile(join(folder, fileNames.replayText), replayMarkdown(report));
  const dashboard = join(folder, fileNames.dashboard);
  await replaceFile(dashboard, await dashboardPage({ results: null, replay: report }, pageFolder));
  if (options.json) printJson(report);
  else print(`${replayMarkdown(report)}\nDashboard: ${dashboard}`);
}
