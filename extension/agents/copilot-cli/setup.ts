import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AgentSetup, stdioServer } from '../../inside/setup/agent-setup';
import type { AgentEnvironment } from '../../platform/files/environment';

export const copilotCliSetup: AgentSetup = {
  agent: 'copilot-cli',
  programs: ['copilot'],
  folder,
  server: (place, launch) => ({
    kind: 'json-value',
    file: join(folder(place), 'mcp-config.json'),
    path: ['mcpServers', 'strata'],
    value: { type: 'local', ...stdioServer(launch), tools: ['*'] },
  }),
  plugin: {
    within: '',
    commandFile: 'command.js',
    files: {},
    edits: (place, path) => [
      {
        kind: 'text-file',
        file: join(folder(place), 'extensions/strata/extension.mjs'),
        text: `// Written by \`strata setup\`.\nawait import(${JSON.stringify(pathToFileURL(join(path, 'extension.mjs')).href)});\n`,
      },
    ],
  },
  check: { words: ['mcp', 'list'], expected: /\bstrata\b/ },
};

function folder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  return variables.COPILOT_HOME || join(home, '.copilot');
}
