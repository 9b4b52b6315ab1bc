import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AgentSetup, mcpServerIn, stdioServer } from '../../inside/setup/agent-setup';
import { copilotFolder } from './format/adapter';

export const copilotCliSetup: AgentSetup = {
  agent: 'copilot-cli',
  programs: ['copilot'],
  folder: copilotFolder,
  server: (place, launch) =>
    mcpServerIn(join(copilotFolder(place), 'mcp-config.json'), { type: 'local', ...stdioServer(launch), tools: ['*'] }),
  plugin: {
    edits: (place, path) => [
      {
        kind: 'text-file',
        file: join(copilotFolder(place), 'extensions/strata/extension.mjs'),
        text: `// Written by \`strata setup\`.\nawait import(${JSON.stringify(pathToFileURL(join(path, 'extension.mjs')).href)});\n`,
      },
    ],
  },
  check: { expected: /\bstrata\b/ },
};
