import { join } from 'node:path';
import { type AgentSetup, commandHook, stdioServer } from '../../inside/setup/agent-setup';
import type { AgentEnvironment } from '../../platform/files/environment';

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
  plugin: {
    within: '',
    commandFile: 'command.js',
    files: {},
    edits: (place, path, node) =>
      [
        { event: 'PreCompact', matcher: '' },
        { event: 'SessionStart', matcher: 'compact' },
      ].map(({ event, matcher }) => ({
        kind: 'json-item',
        file: join(folder(place), 'settings.json'),
        path: ['hooks', event],
        value: commandHook(matcher, [...node, join(path, 'say-again.js'), 'qwen-code']),
      })),
  },
  check: { words: ['mcp', 'list'], expected: /strata: .*Connected/ },
};

function folder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  return variables.QWEN_HOME || join(home, '.qwen');
}
