import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LifeTime } from '../conversations/stores/life-time';
import { storeShelf } from '../conversations/stores/store-shelf';
import { CompactingThreads } from '../conversations/threads/compacting-threads';
import { findStrategy } from '../engine/run/registry';
import { OpenAnswers } from '../gateway/team/open-answers';
import { startTeamGateway } from '../gateway/team/team-gateway';
import { newTenant, TenantsUnreadable, tenantsIn } from '../gateway/team/tenants';
import { createConversations } from '../library/conversations';
import { openTelemetry } from '../library/opentelemetry';
import { contextWindowOf } from '../sessions/model-windows';
import { millisecondsIn } from './amounts';
import { type AutomationChoices, automationFrom } from './automation-choices';
import { CommandFailed } from './command-failed';
import { interruptSignal } from './interrupt';
import { print, printJson, withoutControls } from './output';
import { storeAt } from './store-at';

export interface ServeOptions extends AutomationChoices {
  readonly host: string;
  readonly port: number;
  readonly store: string;
  readonly tenants: string;
  readonly strategy: string;
  readonly window?: number;
  readonly openai?: string;
  readonly anthropic?: string;
  /** Of all bodies in flight, in megabytes. */
  readonly inFlight: number;
  /** Time for which a conversation is kept after its newest message, such as 30d. Absent: for ever. */
  readonly keep?: string;
  /** For open requests when it stops, in seconds. */
  readonly grace: number;
  readonly json?: boolean;
}

/** Context window of a model without a known one, in tokens. */
const assumedWindow = 200_000;

/** Prints a token for a tenant, once, and the line of the file that lets it in. */
export function addTenant(name: string, { json }: { readonly json?: boolean }): void {
  if (/\s|^#/.test(name) || name === '')
    throw new CommandFailed('a tenant’s name has no spaces and no # in front', true);
  const { token, line } = newTenant(name);
  if (json) printJson({ name, token, line });
  else print(`Token of ${name}, which is shown only now: ${token}\nLine for the file of tenants:\n${line}`);
}

/** Runs until it is interrupted or told to end, and then lets open requests finish. */
export async function serve(options: ServeOptions): Promise<void> {
  const told = toldToEnd();
  const { strategy, window, openai, anthropic } = options;
  if (!findStrategy(strategy))
    throw new CommandFailed(`there is no strategy named "${strategy}"; see strata strategies`, true);
  const keepMs = options.keep === undefined ? null : millisecondsIn(options.keep, '--keep');
  const tenants = await tenantsOf(options.tenants);
  const store = await storeAt(options.store, tell);
  const threads = new CompactingThreads({
    program: fileURLToPath(new URL('./compacting-thread.js', import.meta.url)),
    onNotice: tell,
  });
  const conversations = await createConversations({
    window: window ?? ((asked) => contextWindowOf(asked) ?? assumedWindow),
    strategy,
    automation: automationFrom(options),
    onSchedule: tell,
    shelf: storeShelf(store),
    threads,
    telemetry: openTelemetry(),
    onNotice: tell,
  });
  const answers = new OpenAnswers();
  const ready = () => store.read({ scope: '', id: 'ready' }, 0);
  let lifeTime: LifeTime | null = null;
  try {
    await ready();
    if (keepMs !== null) lifeTime = new LifeTime({ store, keepMs, tell });
    const running = await startTeamGateway({
      keep: async (request) => answers.watched(await conversations.keep(request)),
      windowOf: (model) => conversations.windowOf(model),
      notify: ({ message }) => tell(message),
      host: options.host,
      port: options.port,
      tenants,
      mostBytes: options.inFlight * 1e6,
      upstreams: { ...(openai ? { openai } : {}), ...(anthropic ? { anthropic } : {}) },
      ready,
    });
    if (options.json) printJson({ url: running.url });
    else print(`The gateway serves ${tenants.size} tenants at ${running.url}.`);
    await told;
    await running.stop(options.grace * 1000);
    await answers.stored();
  } catch (error) {
    throw new CommandFailed(`the gateway did not start: ${error instanceof Error ? error.message : error}`);
  } finally {
    threads.dispose();
    await lifeTime?.end();
    await store.close();
  }
}

/** Resolves at Ctrl+C, and at what tells containers and services to end. */
async function toldToEnd(): Promise<void> {
  const interrupted = interruptSignal();
  await new Promise<unknown>((resolve) => {
    interrupted.addEventListener('abort', resolve, { once: true });
    process.once('SIGTERM', resolve);
  });
}

async function tenantsOf(file: string) {
  try {
    return tenantsIn(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof TenantsUnreadable) throw new CommandFailed(error.message, true);
    throw new CommandFailed(`the tenants cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function tell(message: string): void {
  process.stderr.write(`${withoutControls(message)}\n`);
}
