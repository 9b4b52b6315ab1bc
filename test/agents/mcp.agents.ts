import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ToolKey, toolNames } from '../../extension/inspection/tools/tool-names';
import type { Agent } from './agent';
import { claudeCode } from './claude-code';
import { cline } from './cline';
import { codex } from './codex';
import { copilotCli } from './copilot-cli';
import { variablesFor } from './environment';
import { geminiCli } from './gemini-cli';
import { type Installation, install } from './install';
import { type Laboratory, setUp } from './laboratory';
import { namedTools, unlisted } from './named-tools';
import { openCode } from './opencode';
import { pi } from './pi';
import { qwenCode } from './qwen-code';
import type { ScriptedCall, Toolbox } from './server/script';
import type { Exchange } from './server/server';

/**
 * Tests of the MCP server: `strata setup` sets up each agent, and its model calls every tool of the server in one run.
 */

const strata = resolve(import.meta.dirname, '../../dist/cli/strata.js');

const inputs: Readonly<Record<ToolKey, object>> = {
  context: {},
  core: {},
  lost: {},
  session: {},
  propose: { kind: 'constraint', text: 'Never push to main.' },
  recall: { query: 'look around' },
  compact: { reason: 'The task is done.' },
};

/** The content of each tool's answer, after the line that names the session. */
const answers: Readonly<Record<ToolKey, RegExp>> = {
  context: /\d+ of \d+ tokens/,
  core: /The protected core takes \d+ tokens/,
  lost: /Nothing was compacted\./,
  session: /The newest \d+ of \d+ sessions/,
  propose: /Proposed as constraint \w{8}\. It is not in force/,
  recall: /Nothing lies beneath a compaction|Nothing of the \d+ messages|Hits, the best first/,
  compact:
    /A compaction would free nothing worth it now|A compaction was prepared|nothing is prepared: [\w ]+ writes its own summary/,
};

const keys = Object.keys(inputs) as ToolKey[];

/** Takes one step of work, then calls each of the tools by the name that the agent gave it. */
class ToolByTool implements Toolbox {
  exchanges: readonly Exchange[] = [];
  work: ScriptedCall = { name: 'none', input: {} };

  get look(): ScriptedCall {
    const key = keys[this.exchanges.filter(({ reply }) => reply.calls.length > 0).length - 1];
    if (key === undefined) return this.work;
    // If the server starts slowly, the agent names its tools only in a later request.
    const named = namedTools(this.exchanges.map(({ body }) => body));
    const call = named.find(({ name }) => name.endsWith(toolNames[key])) ?? unlisted(toolNames[key]);
    return { ...call, input: { ...inputs[key] } };
  }

  get read(): ScriptedCall {
    return this.look;
  }
}

function resultsIn(exchanges: readonly Exchange[]): string[] {
  const last = exchanges.findLast(({ reply }) => reply.purpose === 'turn');
  return last?.request.said.flatMap((one) => (one.kind === 'result' ? [one.text] : [])) ?? [];
}

function describeMcp(agent: Agent, ready: Installation): void {
  if (ready.kind === 'missing') {
    console.warn(`Skipped: ${ready.reason}`);
    describe.skip(`${agent.id} (${ready.reason})`, () => it('calls the tools', () => undefined));
    return;
  }
  describe(`the MCP server in ${agent.id} ${ready.version}`, () => {
    const tools = new ToolByTool();
    let laboratory: Laboratory;

    beforeAll(async () => {
      laboratory = await setUp({ ...agent, tools: () => tools }, ready.program);
      const { home, folder } = laboratory.place;
      await promisify(execFile)(process.execPath, [strata, 'setup', agent.id, '--yes'], {
        cwd: folder,
        env: { ...variablesFor(home), ...agent.variables(laboratory.place), ...foundBy(ready.program) },
      });
    });
    afterAll(() => laboratory?.close());

    it('answers each call of a tool about the session that calls it', async () => {
      const { server } = laboratory;
      Object.assign(tools, { exchanges: server.exchanges, work: agent.tools(laboratory.place).look });
      await laboratory.run(agent.prompt('TOOLS=0 look around'));
      await laboratory.run(agent.prompt(`TOOLS=${keys.length + 1} look around`));
      const results = resultsIn(server.exchanges).slice(1);
      const sessions = await laboratory.sessions();
      for (const [index, key] of keys.entries()) {
        const said = results[index] ?? '';
        expect([key, said]).toEqual([key, expect.stringMatching(answers[key])]);
        if (key === 'session') continue;
        expect(said).toMatch(/About (?:this conversation|the newest (?:live )?session)/);
        expect(said).toContain(`id ${sessions[0]?.id}`);
      }
    });
  });
}

/** A search path on which `strata setup` finds the agent. */
function foundBy(program: string): Record<string, string> {
  const folder = program.slice(0, program.lastIndexOf('/'));
  return { PATH: `${variablesFor('').PATH}:${folder}` };
}

const agents = [claudeCode, codex, copilotCli, openCode, qwenCode, geminiCli, cline, pi];
const unbuilt: Installation = { kind: 'missing', reason: 'run npm run build first' };
const installations = await Promise.all(agents.map((agent) => (existsSync(strata) ? install(agent) : unbuilt)));
for (const [index, agent] of agents.entries()) describeMcp(agent, installations[index] ?? unbuilt);
