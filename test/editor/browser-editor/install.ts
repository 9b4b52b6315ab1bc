import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { editorCacheFolder, projectFolder } from '../paths.ts';
import { keep, tailOf } from '../processes/keep.ts';
import { nodeForServer, OLDER_NODE_PACKAGE, OLDER_NODE_VERSION, olderNodeIn } from './node.ts';

/** The npm package with VS Code's server and workbench: 4.139.1 contains VS Code 1.139.1. */
export const CODE_SERVER_VERSION = '4.139.1';

/** A VS Code that is served to a browser. */
export interface BrowserEditor {
  readonly node: string;
  /** The folder in which VS Code's server runs. */
  readonly serverFolder: string;
}

/** Names the call that failed, and ends with its output. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

const cacheFolder = join(editorCacheFolder, 'browser-editor');
const INSTALLING = 'installing-';

/** Contains VS Code 1.104, the oldest version that Strata supports. */
export const OLDEST_CODE_SERVER_VERSION = '4.104.0';

/** The browser editor. It is installed from npm first if this project does not have this version yet. */
export async function ensureBrowserEditor(version = CODE_SERVER_VERSION): Promise<BrowserEditor> {
  if (process.platform === 'win32') {
    throw new InstallError('The browser editor runs on Linux and macOS. On Windows set STRATA_EDITOR=desktop.');
  }
  const installed = join(cacheFolder, version);
  const node = version === OLDEST_CODE_SERVER_VERSION ? olderNodeIn(installed) : nodeForServer();
  if (!existsSync(installed)) await installedOnce(installed, version);
  return { node, serverFolder: serverFolderOf(installed) };
}

const serverFolderOf = (installed: string) => join(installed, 'node_modules/code-server/lib/vscode');

/** Installs that this process has begun, because several walks begin at once. */
const underWay = new Map<string, Promise<void>>();

function installedOnce(installed: string, version: string): Promise<void> {
  const begun = underWay.get(installed) ?? install(installed, version).finally(() => underWay.delete(installed));
  underWay.set(installed, begun);
  return begun;
}

/** The folder gets its name only when it is complete, so a killed install does not look complete. */
async function install(installed: string, version: string): Promise<void> {
  console.error(`Installing code-server ${version} into ${relative(projectFolder, cacheFolder)} (once, 600 MB).`);
  await removeAbandonedInstalls();
  const unfinished = join(cacheFolder, `${INSTALLING}${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  try {
    await installInto(unfinished, version);
    await giveName(unfinished, installed);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Native parts are not built: the server runs without them, and building them would need a compiler. */
async function installInto(folder: string, version: string): Promise<void> {
  // Without its own package.json, npm would install into the nearest folder above that has one: this project.
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const node = version === OLDEST_CODE_SERVER_VERSION ? [`${OLDER_NODE_PACKAGE}@${OLDER_NODE_VERSION}`] : [];
  await runNpm(folder, folder, ['install', '--ignore-scripts', `code-server@${version}`, ...node]);
  await runNpm(folder, serverFolderOf(folder), ['install', '--ignore-scripts', '--omit=dev', '--legacy-peer-deps']);
}

async function runNpm(unfinished: string, folder: string, npmArguments: readonly string[]): Promise<void> {
  const logFile = join(unfinished, 'npm.log');
  const npm = keep({ command: 'npm', arguments: npmArguments, folder, environment: process.env, logFile });
  const exitCode = await npm.exited;
  await npm.stop();
  if (exitCode !== 0) {
    const call = `npm ${npmArguments.join(' ')}`;
    throw new InstallError(`"${call}" failed with exit code ${exitCode} in ${folder}:\n${tailOf(logFile)}`);
  }
}

async function giveName(unfinished: string, installed: string): Promise<void> {
  try {
    await rename(unfinished, installed);
  } catch (error) {
    // Another run finished the same install first; ours is then removed.
    if (!existsSync(installed))
      throw new InstallError(`Could not rename ${unfinished} to ${installed}.`, { cause: error });
  }
}

/** Removes installs whose process has ended. Those that another process is working on stay. */
async function removeAbandonedInstalls(): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const unfinished = (await readdir(cacheFolder)).filter((name) => name.startsWith(INSTALLING));
  const abandoned = unfinished.filter((name) => !isRunning(Number(name.slice(INSTALLING.length))));
  for (const name of abandoned) await rm(join(cacheFolder, name), { recursive: true, force: true });
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    // Signal 0 only checks. An error means that there is no such process.
    return false;
  }
}
