import { join } from 'node:path';
import { type AgentSetup, stdioServer } from '../../inside/setup/agent-setup';
import type { AgentEnvironment } from '../../platform/files/environment';

export const geminiCliSetup: AgentSetup = {
  agent: 'gemini-cli',
  programs: ['gemini'],
  folder,
  server: (place, launch) => ({
    kind: 'json-value',
    file: join(folder(place), 'settings.json'),
    path: ['mcpServers', 'strata'],
    value: { ...stdioServer(launch), trust: true },
  }),
  check: { words: ['mcp', 'list'], expected: /strata: .*Connected/ },
};

function folder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  return join(variables.GEMINI_CLI_HOME || home, '.gemini');
}
