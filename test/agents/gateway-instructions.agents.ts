import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../extension/gateway/gateway';
import { agentInstructions } from '../../extension/gateway/instructions';
import { createConversations } from '../../extension/library';
import type { Agent, Command } from './agent';
import { claudeCode } from './claude-code';
import { codex } from './codex';
import { install } from './install';
import { type Laboratory, setUp } from './laboratory';
import { openCode } from './opencode';
import { pi } from './pi';

/** Tests of agents that are configured only by the gateway's instructions. */

interface Instructed {
  readonly agent: Agent;
  /** Its name in the gateway's instructions. */
  readonly name: string;
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The file that the text goes into, from the agent's home; null if the text is the beginning of a command. */
  readonly file: string | null;
  /** The arguments after the command. */
  readonly words: string;
}

const instructed: readonly Instructed[] = [
  {
    agent: codex,
    name: 'Codex',
    path: '/openai/responses',
    variables: { OPENAI_API_KEY: 'none' },
    file: null,
    words: "exec --json --skip-git-repo-check 'TOOLS=0 good day'",
  },
  {
    agent: claudeCode,
    name: 'Claude Code',
    path: '/anthropic/v1/messages',
    variables: { ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', IS_SANDBOX: '1' },
    file: null,
    words: "-p 'TOOLS=0 good day'",
  },
  {
    agent: pi,
    name: 'pi',
    path: '/openai/responses',
    variables: { OPENAI_API_KEY: 'none', PI_OFFLINE: '1' },
    file: '.pi/agent/models.json',
    words: "--provider openai --model gpt-5.1 -p 'TOOLS=0 good day'",
  },
  {
    agent: openCode,
    name: 'OpenCode',
    path: '/openai/responses',
    variables: {
      OPENAI_API_KEY: 'none',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
    file: '.config/opencode/opencode.json',
    words: "run -m openai/gpt-5.1 'TOOLS=0 good day'",
  },
];

for (const { agent, name, path, variables, file, words } of instructed) {
  const installation = await install(agent);
  const program = installation.kind === 'installed' ? installation.program : null;
  if (installation.kind === 'missing') console.warn(`Skipped: ${installation.reason}`);
  describe.skipIf(program === null)(`${agent.id}, as the gateway says`, () => {
    let laboratory: Laboratory;
    let gateway: Gateway;
    const passed: string[] = [];

    beforeAll(async () => {
      const { settle: _settle, ...others } = agent;
      const bare: Agent = { ...others, files: () => ({}), variables: () => variables };
      laboratory = await setUp(bare, '/bin/sh', async (address) => {
        gateway = await gatewayTo(address, (line) => passed.push(line));
        return address;
      });
    });
    afterAll(async () => {
      laboratory?.close();
      await gateway?.close();
    });

    it('speaks to its model through it', async () => {
      const text = agentInstructions(gateway.url, gateway.token).find((one) => one.agent === name)?.text ?? '';
      if (file !== null) write(join(laboratory.place.home, file), text);
      const { output } = await laboratory.run(shell(file === null ? text : agent.program, agent, program ?? '', words));
      expect(output).toMatch(/(?:Answer|Title) \d+/);
      expect(passed).toContain(path);
    }, 120_000);
  });
}

async function gatewayTo(address: string, log: (path: string) => void): Promise<Gateway> {
  const conversations = await createConversations({ window: 200_000, onNotice: (message) => console.warn(message) });
  return await startGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (model) => conversations.windowOf(model),
    notify: ({ message }) => conversations.notify(message),
    upstreams: { openai: `${address}/v1`, anthropic: address },
    log: ({ path }) => log(path),
  });
}

/** The command with the program's full path, because the search path does not contain it. */
function shell(command: string, { program: name }: Agent, program: string, words: string): Command {
  const placed = command.replace(
    new RegExp(`(^| )${name}( |$)`),
    (_all, before, after) => `${before}${program}${after}`,
  );
  return { words: ['-c', `${placed} ${words}`] };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
