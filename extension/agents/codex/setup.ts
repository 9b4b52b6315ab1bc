import { join } from 'node:path';
import { type AgentSetup, commandHook, stdioServer } from '../../inside/setup/agent-setup';
import type { AgentEnvironment } from '../../platform/files/environment';

export const codexSetup: AgentSetup = {
  agent: 'codex',
  programs: ['codex'],
  folder,
  server: (place, launch) => ({
    kind: 'toml-table',
    file: join(folder(place), 'config.toml'),
    path: ['mcp_servers', 'strata'],
    values: stdioServer(launch),
  }),
  plugin: {
    within: '',
    commandFile: 'command.js',
    files: {},
    // Codex asks the person to trust the hook when it starts next.
    edits: (place, path, node) => [
      {
        kind: 'json-item',
        file: join(folder(place), 'hooks.json'),
        path: ['hooks', 'SessionStart'],
        value: commandHook('compact', [...node, join(path, 'say-again.js'), 'codex']),
      },
    ],
  },
  check: { words: ['mcp', 'list'], expected: /^strata\b.*\benabled\b/m },
};

function folder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  return variables.CODEX_HOME || join(home, '.codex');
}
