import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentRequest, CompactedAnswer } from '../../../extension/agents/exchange';
import type { Agent, Command } from '../agent';
import { variablesFor } from '../environment';
import { install } from '../install';
import { type Laboratory, setUp } from '../laboratory';
import { type Ran, run } from '../run';
import type { Utterance } from '../wire/utterance';

const root = resolve(import.meta.dirname, '../../..');

export const strata = [process.execPath, join(root, 'dist/cli/strata.js')];

/** An agent with Strata's plugin in it. */
export interface PluggedAgent {
  readonly agent: Agent;
  /** The words by which it loads the plugin from this folder. */
  loads(folder: string): readonly string[];
  /** Where `command.js` is in the plugin. */
  readonly commandFile: string;
  /** A command of the agent that a person would type, in a resumed session. */
  types(session: { readonly id: string; readonly file: string }, text: string): Command;
  /** Begins or goes on with a prompt, such that the agent compacts by itself. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What the agent is to send, by the answer. */
  carried(answer: CompactedAnswer): readonly Utterance[];
}

export interface Inside extends Laboratory {
  readonly plugged: Agent;
  /** The folder of the plugin. */
  readonly plugin: string;
  /** Has the plugin start another command from now on. */
  answerWith(command: readonly string[]): void;
  /** A `strata agent serve` in the agent's home, once it answers. */
  serve(): Promise<ChildProcess>;
  /** The `strata` command in the agent's home. */
  strata(...words: readonly string[]): Promise<Ran>;
  ask(action: AgentRequest['action'], session: string, ...words: readonly string[]): Promise<unknown>;
}

export async function setUpInside(with_: PluggedAgent): Promise<Inside | string> {
  const { agent, loads, commandFile, variables = {} } = with_;
  const built = join(root, 'dist/agents', agent.id);
  if (!existsSync(built)) return 'run npm run build first: the plugin is in dist/agents';
  const ready = await install(agent);
  if (ready.kind !== 'installed') return ready.reason;
  const laboratory = await setUp(
    { ...agent, variables: (place) => ({ ...agent.variables(place), ...variables }) },
    ready.program,
  );
  const { home, folder } = laboratory.place;
  const plugin = join(home, 'strata-plugin');
  cpSync(built, plugin, { recursive: true });
  const answerWith = (command: readonly string[]) =>
    writeFileSync(join(plugin, commandFile), `export const command = ${JSON.stringify(command)};\n`);
  answerWith(strata);
  const plug = ({ words, ...rest }: Command): Command => ({ ...rest, words: [...loads(plugin), ...words] });
  const [program = '', ...first] = strata;
  const runStrata = (...words: readonly string[]) =>
    run({ words: [...first, ...words] }, { program, folder, variables: variablesFor(home) });
  return {
    ...laboratory,
    ...{ plugged: agent, plugin },
    run: (command) => laboratory.run(plug(command)),
    answerWith,
    serve: async () => {
      const child = spawn(program, [...first, 'agent', 'serve'], { env: variablesFor(home), stdio: 'ignore' });
      const file = join(home, '.local/share/strata/agents/running.json');
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50));
      return child;
    },
    strata: runStrata,
    async ask(action, session, ...words) {
      const ran = await runStrata('agent', action, agent.id, '--session', session, '--json', ...words);
      return JSON.parse(ran.output.slice(ran.output.indexOf('{')));
    },
  };
}
