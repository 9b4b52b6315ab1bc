import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentInstructions } from '../../extension/gateway/instructions';

/** Tests that docs/frameworks/gateway.md contains the gateway's own instructions, with which real agents are tested. */

const page = await readFile(resolve(import.meta.dirname, '../../docs/frameworks/gateway.md'), 'utf8');

const token = 'a-token-of-sixteen';

function blockOf(agent: string): string {
  const [, block = ''] =
    new RegExp(`\\*\\*${agent}\\*\\*[^\\n]*\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  return block.trim().replaceAll('TOKEN', token).replaceAll('PORT', '4141');
}

describe('the page about the gateway', () => {
  it.each(agentInstructions('http://127.0.0.1:4141', token, 'linux'))(
    'points $agent as the gateway does',
    ({ agent, text }) => {
      const block = blockOf(agent);
      if (text.startsWith('{')) expect(JSON.parse(block)).toEqual(JSON.parse(text));
      else expect(block.split('\n').at(-1)).toBe(text);
    },
  );
});

describe('the lines for Windows', () => {
  const lines = new Map(
    agentInstructions('http://127.0.0.1:4141', token, 'win32').map(({ agent, place, text }) => [
      agent,
      { place, text },
    ]),
  );

  it('are for PowerShell, which has no variables before a command', () => {
    const text = `$env:ANTHROPIC_BASE_URL = 'http://127.0.0.1:4141/${token}/anthropic'; claude`;
    expect(lines.get('Claude Code')).toEqual({ place: 'PowerShell', text });
  });

  it('have no quotes, which Windows PowerShell drops from arguments', () => {
    const { text = '' } = lines.get('Codex') ?? {};
    expect(text).toContain(` -c model_providers.strata.base_url=http://127.0.0.1:4141/${token}/openai/v1 `);
    expect(text).not.toMatch(/["'{}$`;&|()%]/);
  });

  it('are the same as elsewhere in files', () => {
    const others = agentInstructions('http://127.0.0.1:4141', token, 'darwin').filter(({ place }) =>
      place.includes('.'),
    );
    expect(others.length).toBe(2);
    for (const { agent, place, text } of others) expect(lines.get(agent)).toEqual({ place, text });
  });
});
