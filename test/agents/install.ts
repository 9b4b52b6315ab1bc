import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Agent } from './agent';
import { searchPath } from './environment';

export type Installation =
  | { readonly kind: 'installed'; readonly program: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** A folder with a `node_modules` in which agents are installed already, where the environment names one. */
const given = process.env.STRATA_AGENTS;

const root = resolve(import.meta.dirname, '..', '.output', 'agents');

/** The agent at its version: as it is at hand, or downloaded. The reason why not is a sentence for a person. */
export async function install(agent: Agent): Promise<Installation> {
  const folder = given ?? join(root, agent.id);
  const program = join(folder, 'node_modules', '.bin', agent.program);
  const version = await versionOf(program, folder);
  if (version.includes(agent.version)) return { kind: 'installed', program };
  if (given !== undefined) return missing(agent, `there is ${version} in ${given}`);
  const failure = await download(agent, folder);
  if (failure !== null) return missing(agent, failure);
  const installed = await versionOf(program, folder);
  return installed.includes(agent.version) ? { kind: 'installed', program } : missing(agent, `it says ${installed}`);
}

function missing({ packageName, version }: Agent, reason: string): Installation {
  return { kind: 'missing', reason: `${packageName} ${version} is not installed: ${reason}` };
}

const run = promisify(execFile);

/** What it answers to `--version`, or why it did not. It is given no home of a person. */
async function versionOf(program: string, home: string): Promise<string> {
  try {
    const { stdout, stderr } = await run(program, ['--version'], {
      env: { PATH: searchPath, HOME: home, TMPDIR: process.env.TMPDIR ?? '/tmp' },
      timeout: 60_000,
    });
    return `${stdout}${stderr}`.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const minutes = 60_000;

/**
 * Some agents put their program in place by an install script, which npm 12 runs only for packages that the project
 * names. Null once it is there, otherwise why not.
 */
async function download({ packageName, version }: Agent, folder: string): Promise<string | null> {
  const project = { private: true, dependencies: { [packageName]: version }, allowScripts: { [packageName]: true } };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(project));
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      timeout: 10 * minutes,
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 600) : String(error);
  }
}
