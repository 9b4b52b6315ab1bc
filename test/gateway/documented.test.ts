import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentInstructions } from '../../extension/gateway/instructions';

/** What docs/middleware.md says of agents is what the gateway says, which real agents are run by. */

const page = await readFile(resolve(import.meta.dirname, '../../docs/middleware.md'), 'utf8');

const token = 'a-token-of-sixteen';

function blockOf(agent: string): string {
  const [, block = ''] =
    new RegExp(`\\*\\*${agent}\\*\\*[^\\n]*\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  return block.trim().replaceAll('TOKEN', token).replaceAll('PORT', '4141');
}

describe('the page about the gateway', () => {
  it.each(agentInstructions('http://127.0.0.1:4141', token))('points $agent as the gateway does', ({ agent, text }) => {
    const block = blockOf(agent);
    if (text.startsWith('{')) expect(JSON.parse(block)).toEqual(JSON.parse(text));
    else expect(block.split('\n').at(-1)).toBe(text);
  });
});
