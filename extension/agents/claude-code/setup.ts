import { join } from 'node:path';
import { type AgentSetup, stdioServer } from '../setup/agent-setup';

export const claudeCodeSetup: AgentSetup = {
  agent: 'claude-code',
  programs: ['claude'],
  folder: ({ home, variables }) => variables.CLAUDE_CONFIG_DIR || join(home, '.claude'),
  // Servers of a person stand in the file of Claude Code's own state, which it writes anew with every run.
  server: ({ home, variables }, launch) => ({
    kind: 'json-value',
    file: join(variables.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    path: ['mcpServers', 'strata'],
    value: stdioServer(launch),
  }),
  check: { words: ['mcp', 'list'], expected: /^strata: .*Connected/m },
};
