import { join } from 'node:path';
import { type AgentSetup, mcpServerIn, stdioServer } from '../../inside/setup/agent-setup';
import { geminiFolder } from './format/adapter';

export const geminiCliSetup: AgentSetup = {
  agent: 'gemini-cli',
  programs: ['gemini'],
  folder: geminiFolder,
  server: (place, launch) =>
    mcpServerIn(join(geminiFolder(place), 'settings.json'), { ...stdioServer(launch), trust: true }),
  check: { expected: /strata: .*Connected/ },
};
