import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CompactedAnswer } from '../../../extension/agents/exchange';
import { claudeCode } from '../claude-code';
import { sentIn, turnsOf } from '../compare';
import { spoken, type Utterance } from '../wire/utterance';
import { describeInside } from './every-plugin';
import { type PluggedAgent, setUpInside } from './plugged';

const claudeInside: PluggedAgent = {
  agent: claudeCode,
  loads: (folder) => ['--plugin-dir', folder],
  commandFile: 'hooks/command.js',
  types: ({ id }, text) => ({ words: ['--dangerously-skip-permissions', '-r', id, '-p', text] }),
  // By itself it does not know when the scripted model is full.
  variables: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
  carried: ({ pieces }) => pieces.flatMap(utterances),
};

describeInside(claudeInside);

describe('the plugin in a Claude Code that loads no modules', () => {
  it('has its summarizer keep what is pinned, and says it again after the compaction', async () => {
    const inside = await setUpInside(claudeInside);
    if (typeof inside === 'string') throw new Error(inside);
    try {
      const hooks = join(inside.plugin, 'hooks/hooks.json');
      const { modules: _, ...rest } = JSON.parse(readFileSync(hooks, 'utf8'));
      writeFileSync(hooks, JSON.stringify(rest));
      const rule = 'Never touch the marker FACT-ALPHA-42.';
      await inside.run(claudeCode.prompt('TOOLS=2 look around'));
      const [session] = await inside.sessions();
      if (session === undefined) throw new Error('There is no session.');
      await inside.ask('pin', session.id, '--text', rule);
      await inside.run(claudeInside.types(session, '/compact'));
      const summary = inside.server.exchanges.find(({ reply }) => reply.purpose === 'summary');
      expect(summary && sentIn(claudeCode, summary).join('\n')).toContain(rule);
      await inside.run(claudeInside.types(session, 'TOOLS=0 and now'));
      const next = turnsOf(inside.server.exchanges).at(-1);
      expect(next && sentIn(claudeCode, next).join('\n')).toContain(rule);
    } finally {
      inside.close();
    }
  });
});

function utterances({ role, text, calls, result }: CompactedAnswer['pieces'][number]): Utterance[] {
  if (result !== null) return [{ kind: 'result', callId: result.id, text }];
  const called = calls.map(({ id, name, input }): Utterance => ({ kind: 'call', callId: id, name, input }));
  return [...spoken(role === 'assistant' ? role : 'user', text), ...called];
}
