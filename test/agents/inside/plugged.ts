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

/** An agent that `strata setup` puts Strata into. */
export interface PluggedAgent {
  readonly agent: Agent;
  /** Besides its own. */
  readonly variables?: Readonly<Record<string, string>>;
  /** `command.js`, from the folder of the plugin in Strata's own. Absent: there is no plugin. */
  readonly commandFile?: string;
}

/** How large a terminal is, and what looks at it. */
export interface Looked {
  readonly size?: { readonly columns: number; readonly rows: number };
  readonly seen?: (screen: Screen, step: number) => void;
}

export interface Inside extends Laboratory {
  /** The agent's. */
  readonly version: string;
  /** What `strata setup` said. */
  readonly told: string;
  /** Has the plugin start another command from now on; without one, the one that the setup wrote. */
  answerWith(command?: readonly string[]): void;
  /** Who writes the blocks. At first the person has chosen nobody. */
  choose(writer: WrittenWriter, parameters?: AgentSettings['parameters']): Promise<void>;
  /** A `strata agent serve` in the agent's home, once it answers. */
  serve(): Promise<ChildProcess>;
  /** The `strata` command in the agent's home. Rejects where it fails. */
  strata(...words: readonly string[]): Promise<string>;
  /** The agent as a process that goes on until it is ended. */
  start(...words: readonly string[]): ChildProcess;
  /** Types in a terminal in which the agent runs, until this was shown. */
  inTerminal(words: readonly string[], typed: readonly Typed[], until: RegExp, looked?: Looked): Promise<string>;
  /** What `strata agent` answers about a session. */
  ask(action: AgentRequest['action'], session: SessionName, ...words: readonly string[]): Promise<AgentAnswer>;
  /** The requests that were sent meanwhile. */
  during(act: () => Promise<unknown>): Promise<readonly Exchange[]>;
}

/** The agent in a home of its own, with Strata set up in it. A string says why it cannot be tried. */
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
      // One that was killed leaves its file behind.
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

/** The answer, where it is a context. */
export function compacted(answer: AgentAnswer): CompactedAnswer {
  if (answer.kind !== 'compacted') throw new Error(answer.message);
  return answer;
}

/** A context as an agent sends it that takes messages. */
export function utterancesOf(pieces: CompactedAnswer['pieces']): Utterance[] {
  return pieces.flatMap(({ role, text, calls, result }): Utterance[] => {
    if (result !== null) return [{ kind: 'result', callId: result.id, text }];
    const called = calls.map(({ id, name, input }): Utterance => ({ kind: 'call', callId: id, name, input }));
    return [...spoken(role === 'assistant' ? role : 'user', text), ...called];
  });
}

/** Ways in which Strata can be out of order, by name: each breaks it and says how it is mended. */
export const outOfOrder: Readonly<Record<string, (inside: Inside) => Promise<() => void>>> = {
  missing: answering('/nowhere/strata'),
  killed: answering('/bin/sh', '-c', 'kill -9 $$'),
  hanging: answering('/bin/sh', '-c', 'exec sleep 600'),
  // A limit on the length of files: each write to one fails, as on a full disk.
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
