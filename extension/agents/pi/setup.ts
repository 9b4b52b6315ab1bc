import { join } from 'node:path';
import { type AgentSetup, stdioServer } from '../../inside/setup/agent-setup';
import type { AgentEnvironment } from '../../platform/files/environment';

export const piSetup: AgentSetup = {
  agent: 'pi',
  programs: ['pi'],
  folder,
  server: (place, launch) => ({
    kind: 'json-value',
    file: join(folder(place), 'mcp.json'),
    path: ['mcpServers', 'strata'],
    // By default pi does not show the tools of a server to the model.
    value: { ...stdioServer(launch), exposure: 'direct' },
  }),
  plugin: {
    within: '',
    commandFile: 'command.js',
    files: {},
    edits: (place, path) => [
      { kind: 'json-item', file: join(folder(place), 'settings.json'), path: ['packages'], value: path },
    ],
  },
  check: { words: ['mcp', 'list'], expected: /^strata: connected/m },
};

function folder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  return variables.PI_CODING_AGENT_DIR || join(home, '.pi/agent');
}
