import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AgentConfiguration } from '../../../extension/inside/setup/setup';

export interface Home {
  readonly home: string;
  readonly configuration: AgentConfiguration;
  write(path: string, text: string): Promise<void>;
  /** Adds plugins as the build makes them. */
  addPlugins(): Promise<void>;
  link(path: string, target: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Every file, link and folder with its content and access rights, except those of Strata. */
  snapshot(): Promise<Readonly<Record<string, string>>>;
}

/** The folder of Strata's own files. */
const own = '.local';

export async function newHome(
  strata = '/opt/strata/dist/cli/strata.js',
  variables: Readonly<Record<string, string>> = {},
  node = '/usr/bin/node',
): Promise<Home> {
  const home = await mkdtemp(join(tmpdir(), 'strata-setup-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return {
    home,
    configuration: new AgentConfiguration({
      allProjects: false,
      environment: { home, variables: {} },
      program: { node, variables, file: strata },
      plugins: join(home, own, 'plugins'),
    }),
    write: async (path, text) => {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    },
    addPlugins: async () => {
      for (const file of [
        'claude-code/hooks/register.js',
        'claude-code/hooks/command.js',
        'pi/extension.js',
        'pi/command.js',
        'opencode/plugin.js',
        'opencode/command.js',
        'cline/index.js',
        'cline/command.js',
        'copilot-cli/extension.mjs',
        'copilot-cli/command.js',
        'codex/command.js',
      ]) {
        await mkdir(dirname(join(home, own, 'plugins', file)), { recursive: true });
        await writeFile(join(home, own, 'plugins', file), '// as built\n');
      }
    },
    link: async (path, target) => {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await symlink(target, join(home, path));
    },
    read: (path) => readFile(join(home, path), 'utf8'),
    snapshot: async () => {
      const names = await readdir(home, { recursive: true });
      const kept = names.filter((name) => name !== own && !name.startsWith(`${own}/`)).sort();
      return Object.fromEntries(await Promise.all(kept.map(async (name) => [name, await contentOf(join(home, name))])));
    },
  };
}

async function contentOf(path: string): Promise<string> {
  const stats = await lstat(path);
  const rights = stats.mode.toString(8);
  if (stats.isDirectory()) return `folder ${rights}`;
  if (stats.isSymbolicLink()) return `link to ${await readlink(path)}`;
  return `${rights} ${(await readFile(path)).toString('base64')}`;
}
