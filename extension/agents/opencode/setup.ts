import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentSetup } from '../../inside/setup/agent-setup';
import type { AgentEnvironment } from '../../platform/files/environment';

export const openCodeSetup: AgentSetup = {
  agent: 'opencode',
  programs: ['opencode'],
  folder,
  server: (place, { command, args, env }) => ({
    kind: 'json-value',
    file: configurationFile(place),
    path: ['mcp', 'strata'],
    value: {
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length === 0 ? {} : { environment: env }),
      enabled: true,
    },
  }),
  plugin: {
    within: '',
    commandFile: 'command.js',
    files: {},
    edits: (place, path) => [
      {
        kind: 'json-item',
        file: configurationFile(place),
        path: ['plugin'],
        value: pathToFileURL(join(path, 'plugin.js')).href,
      },
    ],
  },
  check: { words: ['mcp', 'list'], expected: /strata\b.*connected/ },
};

function folder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  return join(variables.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
}

/** OpenCode reads all of these; an existing one is used. */
const names = ['opencode.json', 'opencode.jsonc', 'config.json'] as const;

function configurationFile(place: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  const files = names.map((name) => join(folder(place), name));
  return files.find((file) => existsSync(file)) ?? join(folder(place), names[0]);
}
