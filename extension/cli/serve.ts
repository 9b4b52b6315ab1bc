import { WrongKey } from '../conversations/stores/encrypted-store';
import { LifeTime } from '../conversations/stores/life-time';
import type { MarkedStore } from '../conversations/stores/marked-store';
import { isAway } from '../conversations/stores/places/store-kinds';
import { storeShelf } from '../conversations/stores/store-shelf';
import { wordingOf } from '../engine/wording/localizable-text';
import { newTenant } from '../gateway/admission';
import { startTeamGateway } from '../gateway/gateway';
import { GatewayNotStarted } from '../gateway/server';
import { type Conversations, createConversations } from '../library/conversations';
import { openTelemetry } from '../library/opentelemetry';
import { CommandFailed } from './command-failed';
import { limitHeapGrowth } from './heap-growth';
import { aborted, endSignal } from './interrupt';
import { print, printJson } from './output';
import { strategyNamed } from './parameters';
import { type ServeLog, serveLog } from './serve-log';
import { automationFrom, compactingThreads, type ServerOptions, upstreamsFrom, windowFrom } from './server-options';
import { storeAt } from './store-at';
import { exportTelemetry } from './telemetry-export';
import { TenantsFile } from './tenants-file';

interface ServeOptions extends ServerOptions {
  readonly host: string;
  readonly store: string;
  readonly tenants: string;
  /** Maximum total size of the request bodies in progress, in megabytes. */
  readonly inFlight: number;
  /** Milliseconds for which a conversation is kept after its newest message. Absent: for ever. */
  readonly keep?: number;
  /** Seconds for which it still accepts requests after a signal to end. */
  readonly drain: number;
  /** Seconds that open requests get when it stops. */
  readonly grace: number;
  /** Whether each request is a line of the log. */
  readonly requestLog: boolean;
}

/** Prints a new token for a tenant, once, and the line to add to the tenants file. */
export function addTenant(name: string, { json }: { readonly json?: boolean }): void {
  if (/\s|^#/.test(name) || name === '')
    throw new CommandFailed('a tenant’s name has no spaces and no # in front', true);
  const { token, line } = newTenant(name);
  if (json) printJson({ name, token, line });
  else print(`Token of ${name}, which is shown only now: ${token}\nLine for the file of tenants:\n${line}`);
}

/** Runs until a signal stops it, and then lets open requests finish. */
export async function serve(options: ServeOptions): Promise<void> {
  limitHeapGrowth();
  const end = endSignal();
  strategyNamed(options.strategy);
  const window = windowFrom(options);
  const log = serveLog({
    asJson: options.json ?? false,
    write: (line) => process.stderr.write(`${line}\n`),
    now: () => new Date().toISOString(),
  });
  const tell = log.message;
  const tenants = await TenantsFile.opened(options.tenants, tell);
  const closing: (() => unknown)[] = [() => tenants.close()];
  const closed = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    closing.push(await exportTelemetry(process.env, tell));
    const store = await storeAt(options.store, tell, { mayBeAway: true });
    closing.push(() => store.close());
    await claimed(store);
    if (options.keep !== undefined) {
      const lifeTime = new LifeTime({ store, keepMs: options.keep, tell });
      closing.push(() => lifeTime.end());
    }
    const running = await started(options, { store, tenants, log, window });
    closing.push(running.end);
    if (options.json) printJson({ url: running.url });
    else print(`The gateway serves ${tenants.description} at ${running.url}.`);
  } catch (error) {
    await closed();
    if (error instanceof CommandFailed) throw error;
    if (error instanceof WrongKey) throw new CommandFailed(`STRATA_STORE_KEY: ${error.message}`, true);
    const isOption = error instanceof GatewayNotStarted && error.reason === 'options';
    throw new CommandFailed(`the gateway did not start: ${wordingOf(error)}`, isOption);
  }
  await aborted(end);
  await closed();
}

/** How long stopping waits for an unavailable store, and the pause between two attempts, in milliseconds. */
const storeGraceMs = 5_000;
const storeRetryMs = 250;

/** Writes to the store what was kept in memory while the store was unavailable, if it answers in time. */
async function broughtBack(conversations: Conversations, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  await conversations.bringBack();
  while (conversations.inMemory > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, storeRetryMs));
    await conversations.bringBack();
  }
}

/** A store that is unavailable is marked with the first record. */
async function claimed(store: MarkedStore): Promise<void> {
  try {
    await store.claim();
  } catch (error) {
    if (!isAway(error)) throw error;
  }
}

interface Parts {
  readonly store: MarkedStore;
  readonly tenants: TenantsFile;
  readonly log: ServeLog;
  readonly window: ReturnType<typeof windowFrom>;
}

/** The running gateway. `end` lets open requests finish. */
async function started(options: ServeOptions, { store, tenants, log, window }: Parts) {
  const { strategy, drain, grace } = options;
  const tell = log.message;
  const threads = compactingThreads(tell);
  const conversations = await createConversations({
    window,
    strategy,
    automation: automationFrom(options),
    onSchedule: tell,
    shelf: storeShelf(store),
    threads,
    telemetry: openTelemetry(),
    onEvent: log.event,
    onNotice: tell,
  });
  const gateway = await startTeamGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (model) => conversations.windowOf(model),
    notify: ({ message }) => tell(message),
    host: options.host,
    port: options.port,
    tenants: () => tenants.tenants,
    mostBytes: options.inFlight * 1e6,
    upstreams: upstreamsFrom(options),
    balancing: { ready: () => store.read({ scope: '', id: 'ready' }, 0), inMemory: () => conversations.inMemory },
    ...(options.requestLog ? { log: log.request } : {}),
  });
  return {
    url: gateway.url,
    async end() {
      await gateway.stop({ drainMs: drain * 1000, graceMs: grace * 1000 });
      await broughtBack(conversations, Math.min(grace * 1000, storeGraceMs));
      const { inMemory } = conversations;
      if (inMemory > 0)
        tell(`The store does not answer. Conversations that it does not have as they are: ${inMemory}.`);
      threads.dispose();
    },
  };
}
