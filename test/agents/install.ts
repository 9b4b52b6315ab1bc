import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { LockNotTaken, withLock } from '../../extension/platform/files/file-lock';
import type { Agent } from './agent';
import { searchPath } from './environment';

export type Installation =
  | { readonly kind: 'installed'; readonly program: string; readonly version: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** A folder whose `node_modules` already has agents, if the environment names one. */
const given = process.env.STRATA_AGENTS;
/** Whether the newest versions are tested instead of the pinned ones. */
const wantsNewest = process.env.STRATA_NEWEST_AGENTS === '1';

const minutes = 60_000;

const root = resolve(import.meta.dirname, '..', '.output', wantsNewest ? 'newest-agents' : 'agents');

/** The folder that the agent is downloaded to. */
export const rootOf = ({ id }: Agent): string => join(root, id);

/**
 * The agent at its version: an existing installation, or a download. The reason for a failure is a sentence for a
 * person.
 */
export async function install(agent: Agent): Promise<Installation> {
  try {
    const version = wantsNewest ? await newestVersion(agent) : agent.version;
    await mkdir(root, { recursive: true });
    return await alone(join(root, `${agent.id}.lock`), () => installVersion({ ...agent, version }));
  } catch (error) {
    return { kind: 'missing', reason: `${agent.packageName}: ${reasonOf(error)}` };
  }
}

async function installVersion(agent: Agent): Promise<Installation> {
  const { version } = agent;
  const folder = given ?? rootOf(agent);
  const program = join(folder, 'node_modules', '.bin', agent.program);
  const present = await versionOf(program, folder);
  if (present.includes(version)) return { kind: 'installed', program, version };
  if (given !== undefined) return missing(agent, `there is ${present} in ${given}`);
  // A registry may fail once, so the download is tried a second time.
  await download(agent, folder).catch(() => download(agent, folder));
  const installed = await versionOf(program, folder);
  return installed.includes(version) ? { kind: 'installed', program, version } : missing(agent, `it says ${installed}`);
}

/** Several test files need the same agent at the same time; each waits until the first one has installed it. */
async function alone<T>(lock: string, act: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 20 * minutes;
  for (;;) {
    try {
      return await withLock(lock, act);
    } catch (error) {
      if (!(error instanceof LockNotTaken) || Date.now() > deadline) throw error;
    }
  }
}

function missing({ packageName, version }: Agent, reason: string): Installation {
  return { kind: 'missing', reason: `${packageName} ${version} is not installed: ${reason}` };
}

/** The reason in one line. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 600);
}

const run = promisify(execFile);

async function newestVersion({ packageName }: Agent): Promise<string> {
  const { stdout } = await run('npm', ['view', packageName, 'version'], { timeout: minutes });
  return stdout.trim();
}

/** The agent's answer to `--version`, or why there is none. It runs without a person's home. */
async function versionOf(program: string, home: string): Promise<string> {
  try {
    const { stdout, stderr } = await run(program, ['--version'], {
      env: { PATH: searchPath, HOME: home, TMPDIR: process.env.TMPDIR ?? '/tmp' },
      timeout: 60_000,
    });
    return `${stdout}${stderr}`.trim();
  } catch (error) {
    return reasonOf(error);
  }
}

/** npm itself would wait for more than a minute if no registry answers. */
const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', '--fetch-timeout=60000'];

/** Some agents install their program by a script, which npm 12 runs only for packages that the project names. */
async function download(agent: Agent, folder: string): Promise<void> {
  const { packageName, version, bundle } = agent;
  const dependencies = bundle?.dependencies ?? { [packageName]: version };
  const project = { private: true, dependencies, allowScripts: { [packageName]: true } };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(project));
  await run('npm', ['install', ...quietly], { cwd: folder, timeout: 10 * minutes });
  if (bundle !== undefined) await unpack(agent, bundle.program, folder);
  else await linkUnnamed(agent, folder);
}

/** The package for a single platform may have its program in `bin` without naming it in the manifest. */
async function linkUnnamed({ packageName, program }: Agent, folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const [place, link] = [join(modules, ...packageName.split('/'), 'bin', program), join(modules, '.bin', program)];
  if (existsSync(link) || !existsSync(place)) return;
  await mkdir(join(modules, '.bin'), { recursive: true });
  await chmod(place, 0o755);
  await symlink(place, link);
}

/** Unpacks the published package without the dependencies that its program does not need. */
async function unpack({ packageName, version, program }: Agent, path: string, folder: string): Promise<void> {
  await run('npm', ['pack', `${packageName}@${version}`, ...quietly], { cwd: folder, timeout: 10 * minutes });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm pack wrote no archive');
  await run('tar', ['xzf', archive], { cwd: folder });
  await rm(join(folder, archive));
  const modules = join(folder, 'node_modules');
  const place = join(modules, ...packageName.split('/'));
  const link = join(modules, '.bin', program);
  await rm(place, { recursive: true, force: true });
  await rm(link, { force: true });
  await mkdir(join(place, '..'), { recursive: true });
  await mkdir(join(modules, '.bin'), { recursive: true });
  await rename(join(folder, 'package'), place);
  await chmod(join(place, path), 0o755);
  await symlink(join(place, path), link);
}
