/**
 * `npm run dev` builds what the editor runs, and builds host and panel again after each change of their sources. It
 * makes a new sample workspace in `.vscode-test/sample-workspace`. The task in `.vscode/tasks.json` reads the lines
 * that begin with "building" and "watching", and the lines of faults. In an Extension Development Host, Strata reloads
 * the window after each rebuild (`extension/host/development.ts`).
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rolldown } from 'vite';
import { writeUserSettings } from '../test/editor/browser-editor/settings.ts';
import { editorCacheFolder } from '../test/editor/paths.ts';
import { prepareSampleWorkspace } from '../test/editor/sample-workspace.ts';
import type { BuildName } from '../vite.config.ts';
import { buildOnce, faultsOf, watchBuild } from './builds.ts';

const watched: readonly BuildName[] = ['host', 'webview'];

/** Written after each rebuild, so that an editor need not watch the files of a build while they are being written. */
const rebuiltFile = 'dist/rebuilt';

const atWork = new Set<BuildName>();
const broken = new Set<BuildName>();

console.log('building');
await Promise.all([prepareEditor(), buildOnce('embeddings'), buildOnce('dashboard')]);
for (const name of watched) {
  atWork.add(name);
  (await watchBuild(name)).on('event', (event) => onEvent(name, event));
}

/** The editor has settings of its own, because a workspace cannot tell Strata where sessions are. */
async function prepareEditor(): Promise<void> {
  const { settings } = await prepareSampleWorkspace();
  await writeUserSettings(join(editorCacheFolder, 'development'), settings);
}

async function onEvent(name: BuildName, event: Rolldown.RolldownWatcherEvent): Promise<void> {
  if (event.code === 'START') {
    if (atWork.size === 0) console.log('building');
    atWork.add(name);
    broken.delete(name);
  }
  if (event.code === 'BUNDLE_END') {
    console.log(`${name.padEnd(10)} ${(event.duration / 1000).toFixed(1)} s`);
    await event.result.close();
  }
  if (event.code === 'ERROR') {
    broken.add(name);
    console.error(faultsOf(event.error).join('\n'));
    await event.result.close();
  }
  if (event.code === 'END') await onEnd(name);
}

async function onEnd(name: BuildName): Promise<void> {
  atWork.delete(name);
  if (atWork.size > 0) return;
  if (broken.size === 0) await writeFile(rebuiltFile, `${new Date().toISOString()}\n`);
  console.log('watching for changes');
}
