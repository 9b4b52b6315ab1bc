import type { Agent } from './agent';
import versions from './versions.json';
import { withUserTexts } from './wire/utterance';

const model = { id: 'scripted', name: 'scripted', contextWindow: 200_000, maxTokens: 4096, reasoning: true };

export const pi: Agent = {
  id: 'pi',
  packageName: '@earendil-works/pi-coding-agent',
  version: versions.pi,
  program: 'pi',
  // Five of its dependencies are not published, so the bundle in the package is used.
  bundle: { program: 'dist/bundle/cli.js', dependencies: { jiti: '2.7.0' } },
  tools: () => ({
    look: { name: 'bash', input: { command: 'cat data.txt' } },
    read: { name: 'read', input: { path: 'README.md' } },
  }),
  files: ({ address }) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        local: { baseUrl: `${address}/v1`, api: 'openai-completions', apiKey: 'none', models: [model] },
      },
    }),
    '.pi/agent/settings.json': JSON.stringify({
      defaultProvider: 'local',
      defaultModel: 'scripted',
      compaction: { keepRecentTokens: 50 },
    }),
  }),
  variables: () => ({ PI_OFFLINE: '1' }),
  prompt: (text) => ({ words: ['-p', text] }),
  resume: ({ file }, text) => ({ words: ['--session', file, '-p', text] }),
  compact: ({ file }) => ({
    words: ['--session', file, '--mode', 'rpc'],
    input: { text: '{"type":"compact"}\n', until: /"command":"compact"/ },
  }),
  asKept: (said) => withUserTexts(said, (text) => frame.exec(text)?.[1] ?? text),
};

/** The words around a summary differ between versions of pi, and no file contains them. */
const frame =
  /^The conversation history before this point was compacted into the following summary:\s*<summary>\s*([\s\S]*?)\s*<\/summary>\s*$/;
