import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Place } from './agent';
import versions from './versions.json';

export const claudeCode: Agent = {
  id: 'claude-code',
  packageName: '@anthropic-ai/claude-code',
  version: versions['claude-code'],
  program: 'claude',
  tools: ({ folder }) => ({
    look: { name: 'Bash', input: { command: 'cat data.txt', description: 'Look at the data' } },
    read: { name: 'Read', input: { file_path: join(folder, 'README.md') } },
    delegate: (prompt) => ({
      name: 'Agent',
      input: { description: 'Look at a file', prompt, subagent_type: 'general-purpose' },
    }),
  }),
  files: () => ({}),
  variables: ({ home, address }) => ({
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Claude Code refuses to run as root without this variable.
    IS_SANDBOX: '1',
  }),
  prompt: (text) => ({ words: [...allowed, '-p', text] }),
  resume: ({ id }, text) => ({ words: [...allowed, '-r', id, '-p', text] }),
  compact: ({ id }) => ({ words: [...allowed, '-r', id, '-p', '/compact'] }),
};

const allowed = ['--dangerously-skip-permissions'];

/** Answers the questions that Claude Code asks a person at its first start. */
export function settleClaudeCode({ home, folder }: Place): void {
  const file = join(home, '.claude/.claude.json');
  const own = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const answered = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: ['none'], rejected: [] },
    projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(file, JSON.stringify({ ...own, ...answered }));
}
