import { join } from 'node:path';
import { type AgentSetup, commandHook, stdioServer } from '../../inside/setup/agent-setup';
import { codexHome } from './format/adapter';

export const codexSetup: AgentSetup = {
  agent: 'codex',
  programs: ['codex'],
  folder: codexHome,
  server: (place, launch) => ({
    kind: 'toml-table',
    file: join(codexHome(place), 'config.toml'),
    path: ['mcp_servers', 'strata'],
    values: stdioServer(launch),
  }),
  plugin: {
    // Codex asks the person to trust the hook when it starts next.
    edits: (place, path, node) => [
      {
        kind: 'json-item',
        file: join(codexHome(place), 'hooks.json'),
        path: ['hooks', 'SessionStart'],
        value: commandHook('compact', [...node, join(path, 'say-again.js'), 'codex']),
      },
    ],
  },
  check: { expected: /^strata\b.*\benabled\b/m },
};
