import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolNames } from '../../../extension/inspection/tools/tool-names';
import type { Agent } from '../agent';
import { claudeCode } from '../claude-code';
import { cline } from '../cline';
import { sentIn, turnsOf } from '../compare';
import { copilotCli } from '../copilot-cli';
import { namedTools, unlisted } from '../named-tools';
import { openCode } from '../opencode';
import { pi } from '../pi';
import type { Ran } from '../run';
import type { ScriptedCall, Toolbox } from '../server/script';
import type { Exchange } from '../server/server';
import { type Inside, type PluggedAgent, setUpInside } from './plugged';

/*
 * Tests whether an agent continues its work after a compaction in the middle of it, and can get back what the
 * compaction removed.
 */

interface Working extends PluggedAgent {
  /** A step of work whose output is unique. */
  step(number: number): ScriptedCall;
  /**
   * The reason why a compaction is due, as a keyword for the scripted model. `size`: Strata's own settings. `asked`: the model
   * asks for it by a tool.
   */
  readonly due: readonly ('HEAVY' | 'TOOLONG' | 'size' | 'asked')[];
}

/** A command that prints this many rows. */
const stepOf = (number: number, rows = 20) => `sh step.sh ${number} ${rows}`;
const inBash = (name: string) => (number: number) => ({
  name,
  input: { command: stepOf(number), description: 'Take a step' },
});

const agents: readonly Working[] = [
  {
    agent: claudeCode,
    // Claude Code does not know the window of the scripted model.
    variables: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000' },
    step: inBash('Bash'),
    due: ['HEAVY', 'TOOLONG'],
  },
  { agent: pi, step: (number) => ({ name: 'bash', input: { command: stepOf(number) } }), due: ['HEAVY', 'TOOLONG'] },
  { agent: openCode, step: inBash('bash'), due: ['HEAVY', 'TOOLONG'] },
  {
    agent: cline,
    // Cline itself shortens the output of a tool to about 8,000 characters.
    step: (number) => ({ name: 'run_commands', input: { commands: [stepOf(number, 8)] } }),
    due: ['size'],
  },
  {
    agent: { ...copilotCli, prompt: (text) => ({ words: ['--experimental', ...copilotCli.prompt(text).words] }) },
    step: inBash('bash'),
    due: ['asked'],
  },
];

/** Takes one step after the other. If a line in place of an output has a reference, it fetches that output, once. */
class Worker implements Toolbox {
  exchanges: readonly Exchange[] = [];
  /** The step at which the model asks for a compaction. */
  compactsAt: number | null = null;
  fetched: { readonly step: string; readonly reference: string } | null = null;
  #steps = 0;
  #at = -1;
  #call: ScriptedCall = { name: 'none', input: {} };

  constructor(private readonly step: Working['step']) {}

  /** Returns the same call however often it is read for one request. */
  get look(): ScriptedCall {
    if (this.#at !== this.exchanges.length) this.#call = this.#next();
    this.#at = this.exchanges.length;
    return this.#call;
  }

  get read(): ScriptedCall {
    return this.look;
  }

  #next(): ScriptedCall {
    const seen = cleared.exec(JSON.stringify(this.exchanges.at(-1)?.request.said ?? []));
    if (seen !== null && this.fetched === null) {
      this.fetched = { step: seen[1] ?? '', reference: seen[2] ?? '' };
      const named = this.exchanges.flatMap(({ body }) => namedTools(body));
      const tool = named.find(({ name }) => name.endsWith(toolNames.recall)) ?? unlisted(toolNames.recall);
      return { ...tool, input: { ids: [this.fetched.reference], maxTokens: 8000 } };
    }
    this.#steps += 1;
    return this.#steps === this.compactsAt ? { name: 'strata_compact', input: {} } : this.step(this.#steps);
  }
}

/** The pattern of a cleared output, in JSON. */
const cleared =
  /\[CLEARED\] \S+ [["\\]*sh step\.sh (\d+) \d+["\\\]]*: [^\]]*?strata_recall \{ \\"ids\\": \[\\"([a-z]{6})\\"\] \}/;

const replaced = /\[(?:SUPERSEDED|CLEARED|SUMMARIZED)/;

/** Parameters low enough to clear output in a short session. */
const parameters = { cleared: { keepTokens: 0, keepToolUses: 2, clearAtLeast: 0 } };
const small = { ...parameters, ladder: { trigger: 28_000, target: 22_000, keepRecentTokens: 300 } };

for (const working of agents) {
  const { agent, due, step } = working;
  const worker = new Worker(step);
  const withWorker: Agent = { ...agent, tools: () => worker };
  const ready = await setUpInside({ ...working, agent: withWorker });
  if (typeof ready === 'string') console.warn(`Skipped: ${ready}`);
  else ready.close();

  const version = typeof ready === 'string' ? agent.version : ready.version;
  describe.skipIf(typeof ready === 'string')(`work in ${agent.id} ${version} with Strata inside`, () => {
    describe.each(due)('where a compaction is due (%s)', (word) => {
      let inside: Inside;
      let output: string;
      let after: readonly Exchange[];
      beforeAll(async () => {
        const set = await setUpInside({ ...working, agent: withWorker });
        if (typeof set === 'string') throw new Error(set);
        inside = set;
        Object.assign(worker, {
          exchanges: inside.server.exchanges,
          fetched: null,
          compactsAt: word === 'asked' ? 7 : null,
        });
        writeFileSync(
          join(inside.place.folder, 'step.sh'),
          'echo "Output of step $1"; head -n $2 data.txt; echo "End of $1"\n',
        );
        await inside.choose({ kind: 'nobody' }, word === 'size' ? small : parameters);
        const words = word === 'size' || word === 'asked' ? '' : `${word}=7 ONCE=${word} `;
        output = await outputOf(inside.run(withWorker.prompt(`TOOLS=12 ${words}keep going`)));
        const { exchanges } = inside.server;
        const since = turnsOf(exchanges.slice(exchanges.findIndex(isDue) + 1));
        after = since.slice(since.findIndex((turn) => replaced.test(sentIn(agent, turn).join('\n'))));
      }, 240_000);
      afterAll(() => inside?.close());

      it('continues by itself, with the next step, to its answer', () => {
        expect(inside.server.exchanges.map(({ reply }) => reply.purpose)).not.toContain('summary');
        expect(after[0] && sentIn(agent, after[0]).join('\n')).toContain('keep going');
        expect(after.filter(({ reply }) => reply.calls.length > 0).length).toBeGreaterThan(1);
        expect(after.at(-1)?.reply.text).toMatch(/^Answer \d+ after/);
        expect(output).toContain(after.at(-1)?.reply.text);
      });

      it('gets back the whole output that a line refers to', () => {
        const { step: number } = worker.fetched ?? expect.fail('nothing was cleared with a reference');
        const results = inside.server.exchanges.flatMap(({ request }) =>
          // Cline encodes output as JSON, and the answers of tools as JSON around that.
          request.said.flatMap((one) => (one.kind === 'result' ? one.text.replace(/\\+n/g, '\n') : [])),
        );
        const answer =
          results.find((text) => text.includes(`Output of step ${number}\n`) && text.includes('<quoted ')) ?? '';
        expect(answer).toMatch(new RegExp(`Output of step ${number}\\n(?:Row \\d+: .*\\n){8,20}End of ${number}`));
      });
    });
  });
}

/** Whether the model reported a nearly full context, or refused the request as too long. */
function isDue({ reply }: Exchange): boolean {
  return reply.purpose === 'refused' || reply.usage.input > 100_000;
}

/** OpenCode exits with a failure if a request was refused, although it continues to its answer. */
async function outputOf(run: Promise<Ran>): Promise<string> {
  return await run.then(
    (ran) => ran.output,
    (error) => String(error),
  );
}
