import { join } from 'node:path';
import type { Agent } from './agent';

export const cline: Agent = {
  id: 'cline',
  packageName: 'cline',
  version: '3.0.65',
  program: 'cline',
  tools: ({ folder }) => ({
    look: { name: 'run_commands', input: { commands: ['cat data.txt'] } },
    read: { name: 'read_files', input: { files: [{ path: join(folder, 'README.md') }] } },
  }),
  files: () => ({}),
  variables: () => ({}),
  settle: ({ address }) => ({ words: ['auth', 'openai', '-k', 'none', '-m', 'scripted', '-b', `${address}/v1`] }),
  prompt: (text) => ({ words: ['--json', text] }),
};
