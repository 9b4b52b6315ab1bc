import { join } from 'node:path';
import { type AgentSetup, commandHook, mcpServerIn, stdioServer } from '../../inside/setup/agent-setup';
import { qwenFolder } from './format/adapter';

export const qwenCodeSetup: AgentSetup = {
  agent: 'qwen-code',
  programs: ['qwen'],
  folder: qwenFolder,
  server: (place, launch) =>
    mcpServerIn(join(qwenFolder(place), 'settings.json'), { ...stdioServer(launch), trust: true }),
  plugin: {
    edits: (place, path, node) =>
      [
        { event: 'PreCompact', matcher: '' },
        { event: 'SessionStart', matcher: 'compact' },
      ].map(({ event, matcher }) => ({
        kind: 'json-item',
        file: join(qwenFolder(place), 'settings.json'),
        path: ['hooks', event],
        value: commandHook(matcher, [...node, join(path, 'say-again.js'), 'qwen-code']),
      })),
  },
  check: { expected: /strata: .*Connected/ },
};
