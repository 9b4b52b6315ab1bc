import { expect } from 'vitest';
import { openCode } from '../opencode';
import { spoken } from '../wire/utterance';
import { type CompactingAgent, describeInside } from './every-plugin';
import type { Inside } from './plugged';

const openCodeInside: CompactingAgent = {
  agent: openCode,
  commandFile: 'command.js',
  says: async (inside, { id }, text) => {
    const [, command = '', rest = ''] = /^\/(\S+)\s*(.*)$/.exec(text) ?? [];
    // The answer is in the session then, but OpenCode treats a command without a model as failed.
    await expect(inside.run({ words: ['run', '-s', id, '--command', command, rest] })).rejects.toThrow('UnknownError');
  },
  // OpenCode asks for the summary in the user role, and continues after it.
  carried: ({ result }) => [
    ...spoken('user', 'What did we do so far?'),
    ...spoken('assistant', (result as { summary: string }).summary),
  ],
  byHand: compactInServer,
  writesItself: 'instructed',
  filling: 'TOOLS=0 HEAVY=0 ONCE=full that is enough',
};

/** Does what `/compact` in its terminal asks its server for. */
async function compactInServer(inside: Inside, { id }: { readonly id: string }): Promise<void> {
  const server = inside.start('serve', '--port', '0');
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let output = '';
      server.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.on('close', () => reject(new Error(`opencode serve ended: ${output}`)));
    });
    const asked = await fetch(
      `${address}/session/${id}/summarize?directory=${encodeURIComponent(inside.place.folder)}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ providerID: 'local', modelID: 'scripted' }),
      },
    );
    if (!asked.ok) throw new Error(`opencode summarizes nothing: ${asked.status} ${await asked.text()}`);
  } finally {
    server.kill();
  }
}

await describeInside(openCodeInside);
