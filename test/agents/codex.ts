import { type Agent, compactingPrompt } from './agent';
import versions from './versions.json';

export const codex: Agent = {
  id: 'codex',
  packageName: '@openai/codex',
  version: versions.codex,
  program: 'codex',
  tools: () => ({
    look: { name: 'exec_command', input: { cmd: 'cat data.txt' } },
    read: { name: 'exec_command', input: { cmd: 'cat README.md' } },
  }),
  files: ({ address }) => ({
    '.codex/config.toml': [
      'model = "scripted"',
      'model_provider = "local"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      'model_context_window = 200000',
      '[model_providers.local]',
      'name = "local"',
      `base_url = "${address}/v1"`,
      'wire_api = "responses"',
      '',
    ].join('\n'),
  }),
  variables: () => ({}),
  prompt: (text) => ({ words: ['exec', ...anywhere, text] }),
  resume: ({ id }, text) => ({ words: ['exec', 'resume', ...anywhere, id, text] }),
  compactsWhenFull: true,
  compact: ({ id }) => ({
    words: ['exec', 'resume', ...anywhere, '-c', 'model_auto_compact_token_limit=100000', id, compactingPrompt],
  }),
};

const anywhere = ['--json', '--skip-git-repo-check'];
