import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { findStrategy } from '../../engine/run/prepare/registry';
import { fetchSessions } from '../../evaluation/benchmark/fetch-sessions';
import { readManifest } from '../../evaluation/benchmark/manifest';
import { replayMarkdown } from '../../evaluation/measure/replay/replay-text';
import type { ContenderId } from '../../evaluation/measure/results';
import { dashboardPage, fileNames } from '../../evaluation/outputs';
import type { Skipped } from '../../evaluation/sessions/find-sessions';
import { type ReplayOptions, replaySessions } from '../../evaluation/sessions/replay-sessions';
import { measureInThreads } from '../../evaluation/threads/measure-in-threads';
import { replaceFile } from '../../platform/files/replace-file';
import { interruptSignal } from '../interrupt';
import { print, printJson } from '../output';
import { strataVersion } from '../version';
import { measuringThread, pageFolder } from './bundle';
import { explained } from './explained';
import { outFolder } from './out-folder';
import { progressLine } from './progress';

interface ReplayCommand {
  readonly out: string;
  readonly contenders: readonly ContenderId[];
  readonly jobs?: number;
  readonly queue?: string;
  readonly json?: boolean;
}

type MoreOfReplay = Pick<ReplayOptions, 'projectOf' | 'simulatedPerSession'> & {
  /** Left out before. */
  readonly skipped?: readonly Skipped[];
  /** Names a file in the report. Default: its path. */
  readonly nameOf?: (file: string) => string;
};

/** Measures what later work in the session files of a folder needed, and how much of it each strategy keeps. */
export async function replay(
  sessions: string,
  { out, contenders, jobs, queue, json }: ReplayCommand,
  more: MoreOfReplay = {},
): Promise<void> {
  const folder = await outFolder(out);
  const line = progressLine(process.stderr);
  const strategies = strategiesIn(contenders);
  const signal = interruptSignal();
  const threads = jobs ?? availableParallelism();
  const { skipped = [], nameOf = (file) => file, ...options } = more;
  const replayed = await explained(() =>
    replaySessions(resolve(sessions), {
      records: join(folder, fileNames.replayRecords),
      strategies,
      measure: async (owner, header) => {
        if (queue === undefined) await measureInThreads(owner, measuringThread(), { strategies, threads, signal });
        else await (await import('./queue/queued-replay')).measureOnQueue(queue, owner, header, signal);
      },
      ...options,
      signal,
      onProgress: ({ done, of, boundaries, file }) => line.show(done, of, `${boundaries} boundaries, ${file}`),
      now: () => new Date().toISOString(),
      madeWith: { strata: strataVersion, node: process.version },
    }),
  ).finally(line.end);
  const named = replayed.skipped.map(({ file, reason }) => ({
    file: nameOf(file),
    reason: reason.replaceAll(file, nameOf(file)),
  }));
  const report = { ...replayed, skipped: [...skipped, ...named] };
  await replaceFile(join(folder, fileNames.replay), `${JSON.stringify(report)}\n`);
  await replaceFile(join(folder, fileNames.replayText), replayMarkdown(report));
  const dashboard = join(folder, fileNames.dashboard);
  await replaceFile(dashboard, await dashboardPage({ results: null, replay: report }, pageFolder));
  if (json) printJson(report);
  else print(`${replayMarkdown(report)}\nDashboard: ${dashboard}`);
}

/** A replay has no core, and its baselines are the agent’s summary and everything that was replaced. */
function strategiesIn(contenders: readonly ContenderId[]): string[] {
  return [...new Set(contenders.map(({ strategy }) => strategy))].filter((name) => findStrategy(name) !== undefined);
}

/** Fetches the sessions of a manifest, and replays them. */
export async function benchmark(manifest: string, command: ReplayCommand): Promise<void> {
  const sources = await explained(() => readManifest(resolve(manifest)));
  const sessions = join(await outFolder(command.out), 'sessions');
  const line = progressLine(process.stderr);
  const { skipped } = await fetchSessions(sources, sessions, {
    signal: interruptSignal(),
    onProgress: (done, name) => line.show(done, sources.length, `fetching ${name}`),
  }).finally(line.end);
  // The same path on every machine, so that the report is the same too.
  const nameOf = (file: string) => relative(sessions, file).split(sep).join('/');
  const projectOf = (file: string) => nameOf(file).split('/')[0] ?? file;
  await replay(sessions, command, { projectOf, nameOf, skipped, simulatedPerSession: 1 });
}
