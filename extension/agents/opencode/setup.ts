import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentSetup } from '../../inside/setup/agent-setup';
import type { UserFolders } from '../../platform/files/environment';
import { openCodeFolder } from './format/adapter';

export const openCodeSetup: AgentSetup = {
  agent: 'opencode',
  programs: ['opencode'],
  folder: openCodeFolder,
  server: (place, { command, args, env }) => ({
    kind: 'json-value',
    file: configurationFile(place),
    path: ['mcp', 'strata'],
    value: {
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length === 0 ? {} : { environment: env }),
      enabled: true,
    },
  }),
  plugin: {
    edits: (place, path) => [
      {
        kind: 'json-item',
        file: configurationFile(place),
        path: ['plugin'],
        value: pathToFileURL(join(path, 'plugin.js')).href,
      },
    ],
  },
  check: { expected: /strata\b.*connected/ },
};

/** OpenCode reads all of these; an existing one is used. */
const names = ['opencode.json', 'opencode.jsonc', 'config.json'] as const;

function configurationFile(place: UserFolders): string {
  const files = names.map((name) => join(openCodeFolder(place), name));
  return files.find((file) => existsSync(file)) ?? join(openCodeFolder(place), names[0]);
}
