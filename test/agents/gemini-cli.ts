import { join } from 'node:path';
import type { Agent } from './agent';
import versions from './versions.json';
import type { Utterance } from './wire/utterance';

export const geminiCli: Agent = {
  id: 'gemini-cli',
  packageName: '@google/gemini-cli',
  version: versions['gemini-cli'],
  program: 'gemini',
  tools: ({ folder }) => ({
    look: { name: 'run_shell_command', input: { command: 'cat data.txt' } },
    read: { name: 'read_file', input: { file_path: join(folder, 'README.md') } },
  }),
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      model: { compressionThreshold: 0.1 },
    }),
  }),
  variables: ({ address }) => ({
    GOOGLE_GEMINI_BASE_URL: address,
    GEMINI_API_KEY: 'none',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  prompt: (text) => ({ words: ['-y', '-p', text] }),
  resume: ({ id }, text) => ({ words: ['-y', '-r', id, '-p', text] }),
  compact: ({ id }) => ({ words: ['-y', '-r', id, '-p', 'TOOLS=2 HEAVY=0 compact on the way'] }),
  asKept: withoutRepeatedResults,
};

/** Gemini CLI sends each tool result of a resumed session twice. It is one result, and is shown once. */
function withoutRepeatedResults(said: readonly Utterance[]): Utterance[] {
  const answered = new Set<string>();
  return said.filter((one) => {
    if (one.kind !== 'result') return true;
    const isRepeated = answered.has(one.callId);
    answered.add(one.callId);
    return !isRepeated;
  });
}
