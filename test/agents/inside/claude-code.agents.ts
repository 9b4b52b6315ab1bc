import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../claude-code';
import { sentIn, turnsOf } from '../compare';
import { type CompactingAgent, describeInside } from './every-plugin';
import { setUpInside, utterancesOf } from './plugged';

const words = ['--dangerously-skip-permissions'];

const claudeInside: CompactingAgent = {
  agent: claudeCode,
  commandFile: 'strata/hooks/command.js',
  // Claude Code does not know the window of the scripted model.
  variables: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
  says: (inside, { id }, text) => inside.run({ words: [...words, '-r', id, '-p', text] }),
  carried: ({ pieces }) => utterancesOf(pieces),
  byHand: (inside, { id }) =>
    inside.run({ words: [...words, '--verbose', '--output-format', 'stream-json', '-r', id, '-p', '/compact'] }),
  printsNotices: true,
  writesItself: 'instructed',
  preparesAfterTurns: true,
  filling: 'TOOLS=2 HEAVY=2 go on until it is full',
};

await describeInside(claudeInside);

describe('the plugin in a Claude Code that loads no modules', () => {
  it('has its summarizer keep what is pinned, and says it again after the compaction', async (test) => {
    const inside = await setUpInside(claudeInside);
    if (typeof inside === 'string') return test.skip(inside);
    try {
      const plugin = '.local/share/strata/agents/plugins/claude-code/strata';
      const hooks = join(inside.place.home, plugin, 'hooks/hooks.json');
      const { modules: _, ...rest } = JSON.parse(readFileSync(hooks, 'utf8'));
      writeFileSync(hooks, JSON.stringify(rest));
      const rule = 'Never touch the marker FACT-ALPHA-42.';
      await inside.run(claudeCode.prompt('TOOLS=2 look around'));
      const [session] = await inside.sessions();
      if (session === undefined) throw new Error('There is no session.');
      await inside.ask('pin', session, '--text', rule);
      await claudeInside.says(inside, session, '/compact');
      const summary = inside.server.exchanges.find(({ reply }) => reply.purpose === 'summary');
      expect(summary && sentIn(claudeCode, summary).join('\n')).toContain(rule);
      await claudeInside.says(inside, session, 'TOOLS=0 and now');
      const next = turnsOf(inside.server.exchanges).at(-1);
      expect(next && sentIn(claudeCode, next).join('\n')).toContain(rule);
    } finally {
      inside.close();
    }
  });
});
