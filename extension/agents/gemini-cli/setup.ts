import { join } from 'node:path';
import type { AgentEnvironment } from '../../sessions/adapter';
import { type AgentSetup, stdioServer } from '../setup/agent-setup';

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
