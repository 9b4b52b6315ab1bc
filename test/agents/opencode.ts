import { join } from 'node:path';
import { type Agent, compactingPrompt } from './agent';
import versions from './versions.json';

export const openCode: Agent = {
  id: 'opencode',
  packageName: 'opencode-ai',
  version: versions.opencode,
  program: 'opencode',
  tools: ({ folder }) => ({
    look: { name: 'bash', input: { command: 'cat data.txt', description: 'Look at the data' } },
    read: { name: 'read', input: { filePath: join(folder, 'README.md') } },
    delegate: (prompt) => ({
      name: 'task',
      input: { description: 'Look at a file', prompt, subagent_type: 'general' },
    }),
  }),
  files: ({ address }) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'local/scripted',
      small_model: 'local/scripted',
      permission: { '*': 'allow' },
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          name: 'local',
          options: { baseURL: `${address}/v1`, apiKey: 'none' },
          models: { scripted: { name: 'scripted', limit: { context: 170_000, output: 4096 } } },
        },
      },
    }),
  }),
  variables: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  prompt: (text) => ({ words: ['run', text] }),
  resume: ({ id }, text) => ({ words: ['run', '-s', id, text] }),
  compactsWhenFull: true,
  compact: ({ id }) => ({ words: ['run', '-s', id, compactingPrompt] }),
};
