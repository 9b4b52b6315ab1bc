import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { AgentAnswer, AgentRequest, CompactedAnswer } from '../../../extension/inside/exchange';
import { agentPlaces } from '../../../extension/inside/places';
import { standardSettings, writeSetup } from '../../../extension/inside/service/setup';
import type { WrittenWriter } from '../../../extension/inside/service/writer';
import type { AgentSettings } from '../../../extension/inside/settings';
import type { Agent, SessionName } from '../agent';
import { searchPath, variablesFor } from '../environment';
import { install } from '../install';
import { type Laboratory, setUp } from '../laboratory';
import type { Exchange } from '../server/server';
import { spoken, type Utterance } from '../wire/utterance';
import type { Screen } from './screen';
import { inTerminal, type Typed } from './terminal';

const program = resolve(import.meta.dirname, '../../../dist/cli/strata.js');

export const strata = [process.execPath, program];

/** An agent in which `strata setup` installs Strata. */
export interface PluggedAgent {
  readonly agent: Agent;
  /** Variables in addition to the agent's own. */
  readonly variables?: Readonly<Record<string, string>>;
  /** `command.js`, from the plugin's folder in Strata's own folder. Absent: there is no plugin. */
  readonly commandFile?: string;
}

/** The size of a terminal, and a function that gets its screen. */
export interface Looked {
  readonly size?: { readonly columns: number; readonly rows: number };
  readonly seen?: (screen: Screen, step: number) => void;
}

export interface Inside extends Laboratory {
  /** The agent's version. */
  readonly version: string;
  /** The output of `strata setup`. */
  readonly told: string;
  /**
   * Makes the plugin start another command from now on. Without an argument, it starts the one that the setup wrote.
   */
  answerWith(command?: readonly string[]): void;
  /** Chooses who writes the blocks. Before the first call, no writer is chosen. */
  choose(writer: WrittenWriter, parameters?: AgentSettings['parameters']): Promise<void>;
  /** Starts `strata agent serve` in the agent's home. Resolves once it answers. */
  serve(): Promise<ChildProcess>;
  /** Runs the `strata` command in the agent's home. Rejects if it fails. */
  strata(...words: readonly string[]): Promise<string>;
  /** Starts the agent as a process that runs until it is ended. */
  start(...words: readonly string[]): ChildProcess;
  /** Types into a terminal in which the agent runs, until this text was shown. */
  inTerminal(words: readonly string[], typed: readonly Typed[], until: RegExp, looked?: Looked): Promise<string>;
  /** The answer of `strata agent` about a session. */
  ask(action: AgentRequest['action'], session: SessionName, ...words: readonly string[]): Promise<AgentAnswer>;
  /** The requests that were sent during this work. */
  during(act: () => Promise<unknown>): Promise<readonly Exchange[]>;
}

/** The agent in a home of its own, with Strata set up in it. A string says why it cannot be tested. */
export async function setUpInside({ agent, variables = {}, commandFile }: PluggedAgent): Promise<Inside | string> {
  if (!existsSync(program)) return 'run npm run build first';
  const ready = await install(agent);
  if (ready.kind !== 'installed') return ready.reason;
  const laboratory = await setUp(
    { ...agent, variables: (place) => ({ ...agent.variables(place), ...variables }) },
    ready.program,
  );
  const { home, folder } = laboratory.place;
  const found = { PATH: `${searchPath}:${dirname(ready.program)}` };
  const env = { ...laboratory.environment.variables, ...found };
  const ask = async (...words: readonly string[]) =>
    (await promisify(execFile)(process.execPath, [program, ...words], { cwd: folder, env })).stdout;
  const told = await ask('setup', agent.id, '--yes');
  const places = agentPlaces(laboratory.environment);
  const choose = (writer: WrittenWriter, parameters: AgentSettings['parameters'] = {}) =>
    writeSetup(places.setup, { journals: places.journals, settings: { ...standardSettings, parameters }, writer });
  await choose({ kind: 'nobody' });
  const plugin = join(home, '.local/share/strata/agents/plugins', agent.id, commandFile ?? '');
  const asSetUp = [process.execPath, join(home, '.local/share/strata/agents/strata.mjs')];
  return {
    ...laboratory,
    version: ready.version,
    told,
    choose,
    answerWith: (command = asSetUp) => writeFileSync(plugin, `export const command = ${JSON.stringify(command)};\n`),
    async serve() {
      const child = spawn(process.execPath, [program, 'agent', 'serve'], { env: variablesFor(home), stdio: 'ignore' });
      const file = join(home, '.local/share/strata/agents/running.json');
      // A Strata that was killed leaves its file, so the file must name the new process.
      while (!existsSync(file) || JSON.parse(readFileSync(file, 'utf8')).pid !== child.pid) {
        if (child.exitCode !== null) throw new Error(`strata agent serve ended with ${child.exitCode}`);
        await new Promise((done) => setTimeout(done, 50));
      }
      return child;
    },
    strata: ask,
    start: (...words) => spawn(ready.program, words, { cwd: folder, env: laboratory.environment.variables }),
    inTerminal: (words, typed, until, { size = {}, seen } = {}) =>
      inTerminal(
        { program: ready.program, words, folder, variables: laboratory.environment.variables, ...size },
        typed,
        until,
        seen,
      ),
    async ask(action, session, ...words) {
      return JSON.parse(await ask('agent', action, agent.id, '--session', session.id, '--json', ...words));
    },
    async during(act) {
      const before = laboratory.server.exchanges.length;
      await act();
      return laboratory.server.exchanges.slice(before);
    },
  };
}

/** The answer as a compaction. Throws if it is another kind of answer. */
export function compacted(answer: AgentAnswer): CompactedAnswer {
  if (answer.kind !== 'compacted') throw new Error(answer.message);
  return answer;
}

/** A context in the form in which an agent that takes messages sends it. */
export function utterancesOf(pieces: CompactedAnswer['pieces']): Utterance[] {
  return pieces.flatMap(({ role, text, calls, result }): Utterance[] => {
    if (result !== null) return [{ kind: 'result', callId: result.id, text }];
    const called = calls.map(({ id, name, input }): Utterance => ({ kind: 'call', callId: id, name, input }));
    return [...spoken(role === 'assistant' ? role : 'user', text), ...called];
  });
}

/** Ways in which Strata can be unavailable, by name. Each breaks it and returns a function that repairs it. */
export const outOfOrder: Readonly<Record<string, (inside: Inside) => Promise<() => void>>> = {
  missing: answering('/nowhere/strata'),
  killed: answering('/bin/sh', '-c', 'kill -9 $$'),
  hanging: answering('/bin/sh', '-c', 'exec sleep 600'),
  // A limit on the length of files: each write fails, as on a full disk.
  'on a disk that takes no more': answering('/bin/sh', '-c', 'ulimit -f 0; exec "$@"', 'strata', ...strata),
  'hanging while it serves': async (inside) => {
    const service = await inside.serve();
    service.kill('SIGSTOP');
    return () => void service.kill('SIGKILL');
  },
};

function answering(...command: readonly string[]) {
  return async (inside: Inside) => {
    inside.answerWith(command);
    return () => inside.answerWith();
  };
}
