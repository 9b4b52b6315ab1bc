import { join } from 'node:path';
import type { Agent } from './agent';
import versions from './versions.json';
import { type Utterance, withUserTexts } from './wire/utterance';

export const qwenCode: Agent = {
  id: 'qwen-code',
  packageName: '@qwen-code/qwen-code',
  version: versions['qwen-code'],
  program: 'qwen',
  tools: ({ folder }) => ({
    // Its shell sometimes loses the output of a command that ends at once, so the command waits.
    look: { name: 'run_shell_command', input: { command: 'cat data.txt; sleep 0.3', is_background: false } },
    read: { name: 'read_file', input: { file_path: join(folder, 'README.md') } },
    delegate: (prompt) => ({
      name: 'agent',
      input: { description: 'Look at a file', prompt, subagent_type: 'general-purpose' },
    }),
  }),
  files: () => ({
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      // Otherwise it continues with a copy of the conversation to write memories.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    }),
  }),
  variables: ({ address }) => ({
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_API_KEY: 'none',
    OPENAI_MODEL: 'scripted',
  }),
  prompt: (text) => ({ words: ['-y', '-p', text] }),
  resume: ({ id }, text) => ({ words: ['-y', '-r', id, '-p', text] }),
  compact: ({ id }) => ({ words: ['-y', '-r', id, '-p', '/compress'] }),
  asKept: withoutReminders,
  asShown: withoutReminders,
};

/** Removes the reminders about tools, folder and date, because no file contains them. */
function withoutReminders(said: readonly Utterance[]): Utterance[] {
  return withUserTexts(said, (text) => text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, ''));
}
