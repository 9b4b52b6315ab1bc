import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../agent';
import { codex } from '../codex';
import { sentIn, turnsOf } from '../compare';
import { qwenCode } from '../qwen-code';
import { setUpInside } from './plugged';

/* Tests of agents that write their own summaries: `strata setup` adds hooks that repeat the core. */

const rule = 'Never touch the marker FACT-BETA-77.';

interface Hooked {
  readonly agent: Agent;
  /** The file that the setup writes the hooks into. */
  readonly file: string;
  /** The summarizer gets Strata's instructions too. */
  readonly tellsSummarizer: boolean;
}

const trusting = (words: readonly string[]) => [words[0] ?? '', '--dangerously-bypass-hook-trust', ...words.slice(1)];

/** Codex asks a person whether a hook is trusted. These tests have no person, so all hooks are trusted. */
const codexTrusting: Agent = {
  ...codex,
  prompt: (text) => ({ words: trusting(codex.prompt(text).words) }),
  resume: (session, text) => ({ words: trusting(codex.resume?.(session, text).words ?? []) }),
  compact: (session) => ({ words: trusting(codex.compact?.(session).words ?? []) }),
};

const agents: readonly Hooked[] = [
  { agent: codexTrusting, file: '.codex/hooks.json', tellsSummarizer: false },
  { agent: qwenCode, file: '.qwen/settings.json', tellsSummarizer: true },
];

for (const { agent, file, tellsSummarizer } of agents) {
  const inside = await setUpInside({ agent });
  if (typeof inside === 'string') console.warn(`Skipped: ${inside}`);
  const version = typeof inside === 'string' ? agent.version : inside.version;
  describe.skipIf(typeof inside === 'string')(`the hooks in ${agent.id} ${version}`, () => {
    const does = tellsSummarizer
      ? 'tell its summarizer what is pinned'
      : 'say what is pinned, and what was left out, again after its own compaction';
    it(does, async () => {
      if (typeof inside === 'string' || !agent.resume || !agent.compact) return;
      try {
        expect(readFileSync(join(inside.place.home, file), 'utf8')).toContain('say-again.js');
        await inside.run(agent.prompt('TOOLS=2 look around'));
        const [session] = await inside.sessions();
        if (session === undefined) throw new Error('There is no session.');
        await inside.ask('pin', session, '--text', rule);
        await inside.run(agent.resume(session, `TOOLS=1${agent.compactsWhenFull ? ' HEAVY=1' : ''} and again`));
        const asked = await inside.during(() => inside.run(agent.compact?.(session) ?? { words: [] }));
        const summary = asked.find(({ reply }) => reply.purpose === 'summary');
        expect(summary).toBeDefined();
        if (tellsSummarizer) expect(JSON.stringify(summary?.body)).toContain(rule);
        await inside.run(agent.resume(session, 'TOOLS=0 and now'));
        const next = turnsOf(inside.server.exchanges).at(-1);
        if (tellsSummarizer) return;
        const sent = next === undefined ? '' : sentIn(agent, next).join('\n');
        expect(sent).toContain(rule);
        expect(sent).toMatch(/What the compaction left out.*\n.*\n- /);
      } finally {
        inside.close();
      }
    }, 240_000);
  });
}
