import { join } from 'node:path';
import type { Agent } from './agent';
import versions from './versions.json';
import { withUserTexts } from './wire/utterance';

export const copilotCli: Agent = {
  id: 'copilot-cli',
  packageName: '@github/copilot',
  version: versions['copilot-cli'],
  program: 'copilot',
  tools: ({ folder }) => ({
    look: { name: 'bash', input: { command: 'cat data.txt', description: 'Look at the data' } },
    read: { name: 'view', input: { path: join(folder, 'README.md') } },
    delegate: (prompt) => ({
      name: 'task',
      input: { description: 'Look at a file', prompt, agent_type: 'explore', name: 'look' },
    }),
  }),
  files: () => ({}),
  variables: ({ address }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${address}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'scripted',
  }),
  prompt: (text) => ({ words: [...allowed, '-p', text] }),
  resume: ({ id }, text) => ({ words: [...allowed, `--resume=${id}`, '-p', text] }),
  compact: ({ id }) => ({ words: [...allowed, `--resume=${id}`, '-p', '/compact'] }),
  asKept: (said) => withUserTexts(said, withoutTime),
  asShown: (said) => withUserTexts(said, withoutTime),
};

/** The same prompt is sent with another time when it is repeated. */
function withoutTime(text: string): string {
  return text.replace(/<current_datetime>.*?<\/current_datetime>/g, '<current_datetime/>');
}

const allowed = ['--allow-all-tools', '--allow-all-paths', '--disable-builtin-mcps'];
