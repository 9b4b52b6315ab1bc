import { join } from 'node:path';
import type { AgentEnvironment } from '../../sessions/adapter';
import { type AgentSetup, stdioServer } from '../setup/agent-setup';

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
  check: { words: ['mcp', 'list'], expected: /^strata\b.*\benabled\b/m },
};

function folder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  return variables.CODEX_HOME || join(home, '.codex');
}
