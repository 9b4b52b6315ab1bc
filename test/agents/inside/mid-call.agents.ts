import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Agent, Place, SessionName } from '../agent';
import { claudeCode, settleClaudeCode } from '../claude-code';
import { cline } from '../cline';
import { sentIn, turnsOf } from '../compare';
import { copilotCli } from '../copilot-cli';
import { openCode } from '../opencode';
import { pi } from '../pi';
import { type PluggedAgent, setUpInside } from './plugged';
import type { Typed } from './terminal';

/* Tests of compactions that a person starts in a terminal while a call runs. */

interface InTerminal extends PluggedAgent {
  words(session: SessionName): readonly string[];
  /** Answers the questions that it asks a person first. */
  readonly accepts?: readonly Typed[];
  readonly ready: RegExp;
  readonly compact: string;
  /** The text on screen after the compaction. */
  readonly compacted: RegExp;
  /**
   * The agent continues by itself with the next step, up to its answer. Otherwise it ends the turn when a person
   * compacts.
   */
  readonly goesOn: boolean;
  /** Answers the questions that it asks a person at its first start. */
  settle?(place: Place): void;
}

/** Its first steps are quick. If the file `slow` exists, the step takes long enough to type in. */
const slowly = 'if [ -e slow ]; then rm slow; echo going to sleep; sleep 20; fi; cat data.txt';

const byHand = { compact: '/compact', compacted: /Strata compacted/, goesOn: false };

const agents: readonly InTerminal[] = [
  {
    agent: withLook(claudeCode, { name: 'Bash', input: { command: slowly, description: 'Look slowly' } }),
    variables: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
    words: ({ id }) => ['--dangerously-skip-permissions', '-r', id],
    accepts: [
      { after: /Yes, I accept/, keys: '\u001b[B' },
      { after: /❯ Yes, I accept/, keys: '\r' },
    ],
    ready: /Answer \d+ after 4 steps/,
    settle: settleClaudeCode,
    ...byHand,
    goesOn: true,
  },
  {
    agent: withLook(pi, { name: 'bash', input: { command: slowly } }),
    words: ({ file }) => ['--session', file],
    ready: /Answer \d+ after 4 steps/,
    ...byHand,
  },
  {
    agent: withLook(openCode, { name: 'bash', input: { command: slowly, description: 'Look slowly' } }),
    words: ({ id }) => ['-s', id],
    ready: /Answer \d+ after 4 steps/,
    ...byHand,
  },
  {
    agent: withLook(cline, { name: 'run_commands', input: { commands: [slowly] } }),
    words: ({ id }) => ['--id', id, '-i'],
    ready: /Ask anything/,
    ...byHand,
    compact: '/strata compact',
    goesOn: true,
  },
  {
    agent: {
      ...copilotCli,
      tools: (place) => ({
        ...copilotCli.tools(place),
        look: { name: 'bash', input: { command: slowly, description: 'Look slowly' } },
        delegate: () => ({ name: 'strata_compact', input: {} }),
      }),
    },
    words: ({ id }) => [
      '--experimental',
      '--allow-all-tools',
      '--allow-all-paths',
      '--disable-builtin-mcps',
      `--resume=${id}`,
    ],
    accepts: [{ after: /1\. Yes/, keys: '\r' }],
    ready: /Answer \d+ after 4 steps/,
    ...byHand,
    compact: '/strata compact SUBAGENT TOOLS=1',
    goesOn: true,
  },
];

function withLook(agent: Agent, look: ReturnType<Agent['tools']>['look']): Agent {
  return { ...agent, tools: (place) => ({ ...agent.tools(place), look }) };
}

for (const working of agents) {
  const { agent } = working;
  const title = `a compaction by hand in the middle of a call in ${agent.id}`;
  const inside = await setUpInside(working);
  if (typeof inside === 'string') {
    describe.skip(`${title} (${inside})`, () => it('is carried out', () => undefined));
    continue;
  }
  describe(`${title} ${inside.version}`, () => {
    afterAll(() => inside.close());

    const then = working.goesOn ? 'the agent goes on to its answer' : 'the agent takes the next prompt';
    it(`is carried out by Strata, and ${then}`, async () => {
      await inside.run(agent.prompt(`TOOLS=${agent.resume ? 4 : 8} look around`));
      const [session] = await inside.sessions();
      if (session === undefined) throw new Error('There is no session.');
      if (agent.resume) await inside.run(agent.resume(session, 'TOOLS=4 look again'));
      working.settle?.(inside.place);
      writeFileSync(join(inside.place.folder, 'slow'), '');
      const asked = await inside.during(() =>
        inside.inTerminal(
          working.words(session),
          [
            ...(working.accepts ?? []),
            { after: working.ready, keys: 'TOOLS=3 keep going' },
            { after: /TOOLS=3/, keys: '\r' },
            { after: /going to sleep|sleep 20/, keys: working.compact },
            { after: new RegExp(working.compact), keys: '\r' },
            { after: working.goesOn ? /after 3 steps/ : working.compacted, keys: 'TOOLS=0 and now' },
            { after: /TOOLS=0/, keys: '\r' },
          ],
          /after 0 steps/,
        ),
      );
      expect(asked.map(({ reply }) => reply.purpose)).not.toContain('summary');
      const last = turnsOf(asked).at(-1);
      const sent = last === undefined ? '' : sentIn(agent, last).join('\n');
      expect(sent).toMatch(/\[(?:SUPERSEDED|CLEARED|SUMMARIZED)/);
      expect(sent).toContain('keep going');
      expect(sent).toContain('TOOLS=0 and now');
    }, 240_000);
  });
}
