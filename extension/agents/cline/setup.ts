import { join } from 'node:path';
import { type AgentSetup, mcpServerIn, stdioServer } from '../../inside/setup/agent-setup';
import type { UserFolders } from '../../platform/files/environment';

export const clineSetup: AgentSetup = {
  agent: 'cline',
  programs: ['cline'],
  folder,
  server: (place, launch) =>
    mcpServerIn(join(folder(place), 'data/settings/cline_mcp_settings.json'), stdioServer(launch)),
  plugin: {
    // Cline looks for packages in the folders here; a path in one may lead elsewhere.
    edits: (place, path) => [
      {
        kind: 'json-value',
        file: join(folder(place), 'plugins/strata/package.json'),
        path: ['cline'],
        value: { plugins: [{ paths: [join(path, 'index.js')] }] },
      },
    ],
  },
  check: { words: ['config', 'mcp'], expected: /^\s*strata \[stdio\]/m },
};

function folder({ home, variables }: UserFolders): string {
  return variables.CLINE_DIR || join(home, '.cline');
}
