import { spawn } from 'node:child_process';
import * as v from 'valibot';
import { answerAgent } from '../inside/answer';
import type { AgentServices } from '../inside/call';
import { piecesAsText } from '../inside/carried';
import { type AgentAction, type AgentAnswer, type AgentRequest, agentRequest } from '../inside/exchange';
import type { SessionRef } from '../inside/find-session';
import { agentPlaces } from '../inside/places';
import { agentPatience, askRunning, tooSlow } from '../inside/service/ask';
import { Preparations } from '../inside/service/preparations';
import { serveAgents } from '../inside/service/serve';
import { readSetup, standardSettings } from '../inside/service/setup';
import { writerOf } from '../inside/service/writer';
import { rememberedWriter } from '../inside/writers/remembered';
import { processEnvironment } from '../platform/files/environment';
import { CommandFailed } from './command-failed';
import { aborted, interruptSignal } from './interrupt';
import { print, printJson, warn } from './output';
import { objectOnInput } from './standard-input';

interface AgentOptions {
  /** Only if the person chose one. */
  readonly journal?: string;
  readonly session?: string;
  readonly file?: string;
  readonly instructions?: string;
  readonly text?: string;
  readonly json?: boolean;
}

/**
 * Answers a plugin inside an agent: its request is JSON on standard input, the answer JSON on standard output. With
 * `--session`, answers a person.
 */
export async function askAgent(action: AgentAction, agent: string, options: AgentOptions): Promise<void> {
  const request = await requestFrom(action, options);
  const { running } = agentPlaces(processEnvironment());
  const asked = options.journal === undefined ? await askRunning(running, agent, request) : null;
  tell(asked ?? (await answerHere(agent, request, options)), options);
}

/** Answers plugins inside agents until Ctrl+C, faster than a process for each request. */
export async function serveInside(options: AgentOptions): Promise<void> {
  const interrupted = interruptSignal();
  const services = await servicesFor(options);
  const preparations = new Preparations(services, warn);
  const { running } = agentPlaces(services.environment);
  const service = await serveAgents({ ...services, prepares: preparations.begin }, running);
  print('Strata answers its plugins inside agents. Press Ctrl+C to stop.');
  await aborted(interrupted);
  preparations.close();
  await service.close();
}

async function requestFrom(action: AgentAction, options: AgentOptions): Promise<AgentRequest> {
  const { session, file, instructions, text: said } = options;
  const given = session === undefined ? await objectOnInput() : { session, file, instructions, text: said };
  if (given === null)
    throw new CommandFailed('give the request as JSON on standard input, or name a session with --session', true);
  const parsed = v.safeParse(agentRequest, { ...given, action });
  if (parsed.success) return parsed.output;
  throw new CommandFailed(`the request on standard input is wrong: ${v.summarize(parsed.issues)}`, true);
}

async function answerHere(agent: string, request: AgentRequest, options: AgentOptions): Promise<AgentAnswer> {
  const services = await servicesFor(options);
  // A person waits as long as the writer takes. A plugin's wait is limited.
  if (request.action === 'prepare' && options.session !== undefined) {
    return await answerAgent(agent, request, services, interruptSignal());
  }
  const signal = AbortSignal.timeout(agentPatience);
  const prepares = services.writer().kind === 'model' ? { prepares: prepareDetached } : {};
  try {
    return await answerAgent(agent, request, { ...services, ...prepares }, signal);
  } catch (error) {
    if (signal.aborted) return tooSlow();
    throw error;
  }
}

/** The settings of the editor that ran here last, and its journals. */
export async function servicesFor({ journal }: Pick<AgentOptions, 'journal'>): Promise<AgentServices> {
  const environment = processEnvironment();
  const places = agentPlaces(environment);
  const setup = await readSetup(places.setup);
  const writer = writerOf(await rememberedWriter(places));
  return {
    environment,
    journals: journal ?? setup?.journals ?? places.journals,
    settings: () => setup?.settings ?? standardSettings,
    writer: () => writer,
    now: () => new Date().toISOString(),
  };
}

/** A plugin reads the answer as JSON. A fallback also sets the exit code, so that scripts notice it. */
function tell(answer: AgentAnswer, { session, json }: AgentOptions): void {
  if (session === undefined || json) printJson(answer);
  else if (answer.kind !== 'fallback')
    print(answer.kind === 'compacted' ? `${answer.message}\n\n${piecesAsText(answer.pieces)}` : answer.message);
  if (answer.kind === 'fallback') throw new CommandFailed(answer.message.replace(/^Strata: /, ''));
}

/** Runs `strata agent prepare` for a session in a process that outlives this one. */
function prepareDetached(agent: string, { session, file }: SessionRef): void {
  const [program = '', ...given] = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const words = [...given, 'agent', 'prepare', agent, '--session', session, ...(file === null ? [] : ['--file', file])];
  const child = spawn(program, words, { detached: true, stdio: 'ignore' });
  // If the process cannot be started, the agent still gets its answer.
  child.on('error', () => undefined);
  child.unref();
}
