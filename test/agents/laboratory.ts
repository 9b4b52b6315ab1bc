import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentEnvironment } from '../../extension/platform/files/environment';
import { adapterOf } from '../../extension/sessions/adapters';
import { discoverSessions } from '../../extension/sessions/discover';
import { openSession } from '../../extension/sessions/open';
import type { Session, SessionSummary } from '../../extension/sessions/session';
import type { Agent, Command, Place } from './agent';
import { variablesFor } from './environment';
import { endProcessesOf } from './leftover-processes';
import { type Ran, run } from './run';
import { type AgentServer, startAgentServer } from './server/server';

/** One agent in a home of its own, and the scripted model that it uses. */
export interface Laboratory {
  readonly place: Place;
  readonly server: AgentServer;
  readonly environment: AgentEnvironment;
  /** Rejects if the agent reports a failure. */
  run(command: Command): Promise<Ran>;
  /** The agent's sessions as Strata lists them, newest first. */
  sessions(): Promise<readonly SessionSummary[]>;
  open(address: string): Promise<Session>;
  close(): void;
}

/** `between` gets the model's address and returns the address that the agent should use. */
export async function setUp(
  agent: Agent,
  program: string,
  between: (address: string) => Promise<string> = async (address) => address,
): Promise<Laboratory> {
  const home = mkdtempSync(join(tmpdir(), `strata-${agent.id}-`));
  const folder = join(home, 'scratch');
  const place: { -readonly [K in keyof Place]: Place[K] } = { home, folder, address: '' };
  const server = await startAgentServer(agent.tools(place));
  place.address = await between(server.address);
  writeFiles(home, { ...scratch, ...agent.files(place) });
  const variables = { ...variablesFor(home), ...agent.variables(place) };
  mkdirSync(variables.TMPDIR ?? '', { recursive: true });
  const environment = { home, variables };
  const perform = async (command: Command) =>
    succeeded(agent, command, await run(command, { program, folder, variables }));
  if (agent.settle !== undefined) await perform(agent.settle(place));
  return {
    place,
    server,
    environment,
    run: perform,
    sessions: async () => (await discoverSessions(environment, { adapters: [adapterOf(agent.id)] })).sessions,
    open: async (address) => await opened(address, environment),
    close: () => {
      server.close();
      endProcessesOf(home);
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Long enough that clearing a tool's output of it saves tokens. */
const data = Array.from({ length: 20 }, (_, index) => `Row ${index + 1}: ${'a word or two, '.repeat(40)}and an end.`);

const scratch = {
  'scratch/README.md': '# Scratch\n\nThe marker is FACT-ALPHA-42.\n',
  'scratch/data.txt': `${data.join('\n')}\n`,
};

function writeFiles(home: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

function succeeded({ id }: Agent, { words }: Command, ran: Ran): Ran {
  if (ran.code === 0) return ran;
  throw new Error(`${id} ${words.join(' ')} ended with ${ran.code}:\n${ran.output.slice(-3000)}`);
}

async function opened(address: string, environment: AgentEnvironment): Promise<Session> {
  const outcome = await openSession(address, { environment });
  if (outcome.kind !== 'opened') throw new Error(`${address} does not open: ${outcome.message}`);
  return outcome.session;
}
