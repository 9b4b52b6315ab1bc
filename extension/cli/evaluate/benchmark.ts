import { join, relative, resolve, sep } from 'node:path';
import { fetchSessions } from '../../evaluation/benchmark/fetch-sessions';
import { readManifest } from '../../evaluation/benchmark/manifest';
import { interruptSignal } from '../interrupt';
import { explained } from './explained';
import { outFolder } from './out-folder';
import { progressLine } from './progress';
import { type ReplayCommand, replay } from './replay';

/** Fetches the sessions of a manifest, and replays them. */
export async function benchmark(manifest: string, command: ReplayCommand): Promise<void> {
  const sources = await explained(() => readManifest(resolve(manifest)));
  const sessions = join(await outFolder(command.out), 'sessions');
  const line = progressLine(process.stderr);
  const { skipped } = await fetchSessions(sources, sessions, {
    signal: interruptSignal(),
    onProgress: (done, name) => line.show(done, sources.length, `fetching ${name}`),
  }).finally(line.end);
  // The same on every machine, so that the report is.
  const nameOf = (file: string) => relative(sessions, file).split(sep).join('/');
  const projectOf = (file: string) => nameOf(file).split('/')[0] ?? file;
  await replay(sessions, command, { projectOf, nameOf, skipped, simulatedPerSession: 1 });
}
