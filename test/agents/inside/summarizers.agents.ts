import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../agent';
import { codex } from '../codex';
import { sentIn, turnsOf } from '../compare';
import { variablesFor } from '../environment';
import { install } from '../install';
import { setUp } from '../laboratory';
import { qwenCode } from '../qwen-code';
import { run } from '../run';

/* Agents that write their own summaries: `strata setup` adds hooks by which the core is said again. */

const root = resolve(import.meta.dirname, '../../..');
const rule = 'Never touch the marker FACT-BETA-77.';

interface Hooked {
  readonly agent: Agent;
  /** What the setup writes the hooks into. */
  readonly file: string;
  /** The summarizer is told too. */
  readonly tellsSummarizer: boolean;
}

const trusting = (words: readonly string[]) => [words[0] ?? '', '--dangerously-bypass-hook-trust', ...words.slice(1)];

/** Codex asks a person whether a hook is trusted; here nobody can be asked. */
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
  const ready = await install(agent);
  if (ready.kind === 'missing') console.warn(`Skipped: ${ready.reason}`);
  describe.skipIf(ready.kind === 'missing')(`the hooks in ${agent.id} ${agent.version}`, () => {
    it('say what is pinned again after its own compaction, and leave no byte behind', async () => {
      if (ready.kind === 'missing' || !agent.resume || !agent.compact) return;
      const laboratory = await setUp(agent, ready.program);
      const { home, folder } = laboratory.place;
      const strata = (...words: readonly string[]) =>
        run(
          { words: [join(root, 'dist/cli/strata.js'), ...words] },
          { program: process.execPath, folder, variables: variablesFor(home) },
        );
      const written = () => (existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8') : null);
      try {
        await laboratory.run(agent.prompt('TOOLS=2 look around'));
        const before = written();
        const made = await strata('setup', agent.id, '--yes');
        expect(made.output).not.toContain('strata:');
        expect(written()).toContain('say-again.js');
        const [session] = await laboratory.sessions();
        if (session === undefined) throw new Error('There is no session.');
        await strata('agent', 'pin', agent.id, '--session', session.id, '--text', rule);
        await laboratory.run(agent.resume(session, `TOOLS=1${agent.compactsWhenFull ? ' HEAVY=1' : ''} and again`));
        const asked = laboratory.server.exchanges.length;
        await laboratory.run(agent.compact(session));
        const summary = laboratory.server.exchanges.slice(asked).find(({ reply }) => reply.purpose === 'summary');
        expect(summary).toBeDefined();
        if (tellsSummarizer) expect(JSON.stringify(summary?.body)).toContain(rule);
        await laboratory.run(agent.resume(session, 'TOOLS=0 and now'));
        const next = turnsOf(laboratory.server.exchanges).at(-1);
        if (!tellsSummarizer) expect(next && sentIn(agent, next).join('\n')).toContain(rule);
        await strata('setup', agent.id, '--remove', '--yes');
        expect(written()).toBe(before);
      } finally {
        laboratory.close();
      }
    }, 240_000);
  });
}
