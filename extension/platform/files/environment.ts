import { homedir, platform } from 'node:os';
import { join } from 'node:path';

export interface AgentEnvironment {
  readonly home: string;
  /** Where editors of the VS Code family keep a person's data: each has `workspaceStorage` and `globalStorage` in it. */
  readonly editorFolders?: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The folder that has an organisation's settings for each agent, such as `/etc`. If it is absent, none are read. */
  readonly systemFolder?: string;
}

/** The paths and variables that determine where a person's files are. */
export type UserFolders = Pick<AgentEnvironment, 'home' | 'variables'>;

/** The path, with `~` at its beginning replaced by the home folder. */
export function withHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

/**
 * The home folder and variables of this process, and the editors of this person. `editorFolder`: an editor's data folder that is already
 * known.
 */
export function processEnvironment(editorFolder?: string): AgentEnvironment {
  const home = homedir();
  const usual = usualEditorFolders(platform(), home, process.env);
  const editorFolders = editorFolder === undefined ? usual : [...new Set([editorFolder, ...usual])];
  return { home, variables: process.env, editorFolders, systemFolder: '/etc' };
}

/** VS Code, its preview and its open builds. */
const products = ['Code', 'Code - Insiders', 'VSCodium'];

/** The data folders of desktop editors and of servers for browser editors. They need not exist. */
export function usualEditorFolders(
  system: NodeJS.Platform,
  home: string,
  variables: AgentEnvironment['variables'],
): string[] {
  const desktop = products.map((product) => join(configurationFolder(system, home, variables), product, 'User'));
  const servers = [
    join(home, '.vscode-server', 'data', 'User'),
    join(home, '.vscode-server-insiders', 'data', 'User'),
    join(home, '.local', 'share', 'code-server', 'User'),
  ];
  return [...desktop, ...servers];
}

function configurationFolder(system: NodeJS.Platform, home: string, variables: AgentEnvironment['variables']): string {
  switch (system) {
    case 'darwin':
      return join(home, 'Library', 'Application Support');
    case 'win32':
      return variables.APPDATA ?? join(home, 'AppData', 'Roaming');
    default:
      return variables.XDG_CONFIG_HOME ?? join(home, '.config');
  }
}
