import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import { agentNames } from '../../../extension/sessions/session';
import type { Agent, Place, SessionName } from '../agent';
import { claudeCode, settleClaudeCode } from '../claude-code';
import { cline } from '../cline';
import { codex } from '../codex';
import { copilotCli } from '../copilot-cli';
import { type Inside, setUpInside } from '../inside/plugged';
import { pause, type Typed } from '../inside/terminal';
import { openCode } from '../opencode';
import { pi } from '../pi';
import { summaryMark } from '../server/script';
import { screenSvg } from './screen-svg';

const folder = resolve(import.meta.dirname, '../../../docs/screenshots/agents');
const size = { columns: 110, rows: 34 };

/** An agent with a screen, in which a person compacts. */
interface Pictured {
  readonly agent: Agent;
  readonly commandFile?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Answers the questions that it asks a person at its first start. */
  settle?(place: Place): void;
  words(session: SessionName): readonly string[];
  /** The keys that lead to the prompt, each with the text that is shown before it. */
  readonly ready: readonly Typed[];
  readonly compact: string;
  /** The text of the plugin after a compaction. */
  readonly compacted: RegExp;
  /** The session is kept short, because the agent compacts a long one by itself. */
  readonly isShort?: true;
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
    isShort: true,
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
    // With the next prompt, the hook shows what Strata did.
    compacted: /Context compacted/,
  },
];

for (const pictured of agents) {
  take('before, at and after a compaction', pictured, pictures);
  if (pictured.commandFile !== undefined)
    take('at a compaction that takes a block written ahead', pictured, pictureAhead);
}

type Pictures = Readonly<Record<string, string>>;

function take(
  title: string,
  pictured: Pictured,
  picture: (inside: Inside, pictured: Pictured) => Promise<Pictures>,
): void {
  const { agent } = pictured;
  it.skipIf(!process.env.STRATA_AGENT_PICTURES)(`${agent.id} ${title}`, async (test) => {
    const inside = await setUpInside(pictured);
    if (typeof inside === 'string') return test.skip(inside);
    try {
      for (const [name, svg] of Object.entries(await picture(inside, pictured))) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${agent.id}-${name}.svg`), svg);
      }
    } finally {
      inside.close();
    }
  });
}

async function pictures(inside: Inside, pictured: Pictured): Promise<Pictures> {
  const session = await workedIn(inside, pictured);
  const { asked, entered } = typedFor(pictured);
  const names = new Map([
    [entered - 1, 'before'],
    [entered + 1, 'compacted'],
    [asked.length, 'after'],
  ]);
  const seen: Record<string, string> = {};
  await inside.inTerminal(pictured.words(session), asked, answered, {
    size,
    seen: (screen, step) => {
      const name = names.get(step);
      if (name !== undefined)
        seen[name] = screenSvg(
          screen,
          `${agentNames[pictured.agent.id]} with Strata inside, ${name}`,
          inside.place.home,
        );
    },
  });
  expect(Object.keys(seen)).toEqual(['before', 'compacted', 'after']);
  return seen;
}

/** The title has the delay of the agent: from Enter until the screen shows the compaction. */
async function pictureAhead(inside: Inside, pictured: Pictured): Promise<Pictures> {
  const { agent, words } = pictured;
  const baseUrl = `${inside.place.address}/v1`;
  const writer = { kind: 'openai', model: 'scripted', timeoutMs: 60_000, contextWindow: 200_000, baseUrl } as const;
  await inside.choose(writer);
  // Pasted text of a person cannot be cleared, so the target can only be reached with a block.
  const session = await workedIn(inside, pictured, pictured.isShort ? [] : pasted);
  const status = async () => (await inside.ask('status', session)).message;
  const tokens = Number(/Context: (\d+)/.exec(await status())?.[1]);
  const ladder = { trigger: tokens, target: Math.round(tokens * 0.3), keepRecentTokens: 300 };
  await inside.choose(writer, { ladder });
  await inside.ask('prepare', session);
  await vi.waitFor(async () => expect(await status()).toContain('by scripted'), { timeout: 30_000, interval: 500 });
  const { asked, entered } = typedFor(pictured);
  const seen: Record<string, string> = {};
  let enteredAt = 0;
  const exchanges = await inside.during(() =>
    inside.inTerminal(words(session), asked, answered, {
      size,
      seen: (screen, step) => {
        if (step === entered) enteredAt = performance.now();
        if (step !== entered + 1) return;
        const wait = ((performance.now() - enteredAt - pause) / 1000).toFixed(1);
        const title = `${agentNames[agent.id]} with Strata inside, compacted ${wait} s after Enter`;
        seen.ahead = screenSvg(screen, title, inside.place.home);
      },
    }),
  );
  expect(exchanges.map(({ reply }) => reply.purpose)).not.toContain('summary');
  expect(JSON.stringify(exchanges.findLast(({ reply }) => reply.purpose === 'turn')?.body)).toContain(summaryMark);
  return seen;
}

/** The text that shows that the question after the compaction is answered. */
const answered = /after 0 steps/;

const pasted = Array.from(
  { length: 300 },
  (_, row) => `Row ${row + 1} of the log: ${'nothing new, '.repeat(20)}and on.`,
);

/** A session with work and a pin in it. `pasted`: lines before each prompt. */
async function workedIn(
  inside: Inside,
  { agent, settle }: Pictured,
  pasted: readonly string[] = [],
): Promise<SessionName> {
  await inside.run(agent.prompt([...pasted, `Look around. TOOLS=${agent.resume ? 4 : 12}`].join('\n')));
  const [session] = await inside.sessions();
  if (session === undefined) throw new Error('The agent wrote no session');
  for (const text of ['Look again. TOOLS=4', 'And for good. TOOLS=4'])
    if (agent.resume) await inside.run(agent.resume(session, [...pasted, text].join('\n')));
  await inside.ask('pin', session, '--text', 'Never touch the marker FACT-ALPHA-42.');
  settle?.(inside.place);
  return session;
}

/** The keys of a person who compacts and then asks something. `entered`: the step that sends the command. */
function typedFor({ ready, compact, compacted }: Pictured): { asked: readonly Typed[]; entered: number } {
  return {
    asked: [
      ...ready.slice(0, -1),
      { after: ready.at(-1)?.after ?? /$/, keys: compact },
      { after: new RegExp(compact), keys: '\r' },
      { after: compacted, keys: 'Which marker did you find? TOOLS=0' },
      { after: /TOOLS=0/, keys: '\r' },
    ],
    entered: ready.length,
  };
}
