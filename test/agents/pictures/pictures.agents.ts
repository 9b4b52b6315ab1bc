import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { agentNames } from '../../../extension/sessions/session';
import type { Agent, Place, SessionName } from '../agent';
import { claudeCode, settleClaudeCode } from '../claude-code';
import { cline } from '../cline';
import { codex } from '../codex';
import { copilotCli } from '../copilot-cli';
import { type Inside, setUpInside } from '../inside/plugged';
import type { Typed } from '../inside/terminal';
import { openCode } from '../opencode';
import { pi } from '../pi';
import { screenSvg } from './screen-svg';

const folder = resolve(import.meta.dirname, '../../../docs/screenshots/agents');
const size = { columns: 110, rows: 34 };

/** An agent with a screen in which a person compacts. */
interface Pictured {
  readonly agent: Agent;
  readonly commandFile?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Answers what it would ask a person at its first start. */
  settle?(place: Place): void;
  words(session: SessionName): readonly string[];
  /** What is shown once it takes a prompt, after the keys that get it there. */
  readonly ready: readonly Typed[];
  readonly compact: string;
  /** What the plugin says. */
  readonly compacted: RegExp;
}

const agents: readonly Pictured[] = [
  {
    agent: claudeCode,
    commandFile: 'strata/hooks/command.js',
    variables: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
    settle: settleClaudeCode,
    words: ({ id }) => ['-r', id],
    ready: [{ after: /\? for shortcuts|❯/, keys: '' }],
    compact: '/compact',
    compacted: /Strata compacted \d+/,
  },
  {
    agent: pi,
    commandFile: 'command.js',
    words: ({ file }) => ['--session', file],
    ready: [{ after: /Answer \d+ after 4 steps/, keys: '' }],
    compact: '/compact',
    compacted: /Strata compacted \d+/,
  },
  {
    agent: openCode,
    commandFile: 'command.js',
    words: ({ id }) => ['-s', id],
    ready: [{ after: /Answer \d+ after 4 steps/, keys: '' }],
    compact: '/compact',
    compacted: /Strata compacted|SUMMARIZED|CLEARED|SUPERSEDED/,
  },
  {
    agent: {
      ...copilotCli,
      tools: (place) => ({ ...copilotCli.tools(place), delegate: () => ({ name: 'strata_compact', input: {} }) }),
    },
    commandFile: 'command.js',
    words: ({ id }) => [
      '--experimental',
      '--allow-all-tools',
      '--allow-all-paths',
      '--disable-builtin-mcps',
      `--resume=${id}`,
    ],
    ready: [
      { after: /1\. Yes/, keys: '\r' },
      { after: /Answer \d+ after 4 steps/, keys: '' },
    ],
    compact: '/strata compact SUBAGENT TOOLS=1',
    compacted: /Strata compacted \d+/,
  },
  {
    agent: cline,
    commandFile: 'command.js',
    words: ({ id }) => ['--id', id, '-i'],
    ready: [{ after: /Ask anything/, keys: '' }],
    compact: '/strata compact',
    compacted: /Strata compacted \d+/,
  },
  {
    agent: codex,
    words: ({ id }) => ['resume', '--dangerously-bypass-hook-trust', id],
    ready: [{ after: /Answer \d+ after 4 steps/, keys: '' }],
    compact: '/compact',
    // Its hook says what Strata did with the next prompt.
    compacted: /Context compacted/,
  },
];

for (const pictured of agents) {
  const { agent } = pictured;
  it.skipIf(!process.env.STRATA_AGENT_PICTURES)(`${agent.id} before, at and after a compaction`, async (test) => {
    const inside = await setUpInside(pictured);
    if (typeof inside === 'string') return test.skip(inside);
    try {
      for (const [name, svg] of Object.entries(await pictures(inside, pictured))) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${agent.id}-${name}.svg`), svg);
      }
    } finally {
      inside.close();
    }
  });
}

async function pictures(inside: Inside, { agent, ready, words, compact, compacted, settle }: Pictured) {
  await inside.run(agent.prompt(`Look around. TOOLS=${agent.resume ? 4 : 12}`));
  const [session] = await inside.sessions();
  if (session === undefined) throw new Error('The agent wrote no session');
  for (const text of ['Look again. TOOLS=4', 'And for good. TOOLS=4'])
    if (agent.resume) await inside.run(agent.resume(session, text));
  await inside.ask('pin', session, '--text', 'Never touch the marker FACT-ALPHA-42.');
  settle?.(inside.place);
  const next = 'Which marker did you find? TOOLS=0';
  const asked: readonly Typed[] = [
    ...ready.slice(0, -1),
    { after: ready.at(-1)?.after ?? /$/, keys: compact },
    { after: new RegExp(compact), keys: '\r' },
    { after: compacted, keys: next },
    { after: /TOOLS=0/, keys: '\r' },
  ];
  const names = new Map([
    [ready.length - 1, 'before'],
    [ready.length + 1, 'compacted'],
    [asked.length, 'after'],
  ]);
  const seen: Record<string, string> = {};
  await inside.inTerminal(words(session), asked, /after 0 steps/, {
    size,
    seen: (screen, step) => {
      const name = names.get(step);
      if (name !== undefined)
        seen[name] = screenSvg(screen, `${agentNames[agent.id]} with Strata inside, ${name}`, inside.place.home);
    },
  });
  expect(Object.keys(seen)).toEqual(['before', 'compacted', 'after']);
  return seen;
}
