import { join } from 'node:path';
import type { Agent } from './agent';
import versions from './versions.json';

export const cline: Agent = {
  id: 'cline',
  packageName: 'cline',
  version: versions.cline,
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
