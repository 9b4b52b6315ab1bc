import { join } from 'node:path';
import { type AgentSetup, mcpServerIn, stdioServer } from '../../inside/setup/agent-setup';
import { piFolder } from './format/adapter';

export const piSetup: AgentSetup = {
  agent: 'pi',
  programs: ['pi'],
  folder: piFolder,
  // By default pi does not show the tools of a server to the model.
  server: (place, launch) =>
    mcpServerIn(join(piFolder(place), 'mcp.json'), { ...stdioServer(launch), exposure: 'direct' }),
  plugin: {
    edits: (place, path) => [
      { kind: 'json-item', file: join(piFolder(place), 'settings.json'), path: ['packages'], value: path },
    ],
  },
  check: { expected: /^strata: connected/m },
};
