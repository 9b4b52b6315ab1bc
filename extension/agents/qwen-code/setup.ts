import { join } from 'node:path';
import type { AgentEnvironment } from '../../sessions/adapter';
import { type AgentSetup, stdioServer } from '../setup/agent-setup';

export const qwenCodeSetup: AgentSetup = {
  agent: 'qwen-code',
  programs: ['qwen'],
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
  return variables.QWEN_HOME || join(home, '.qwen');
}
