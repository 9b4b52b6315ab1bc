import type { AutomationOptions } from '../conversations/compaction/settings';
import { smallWindowParameters } from '../conversations/compaction/small-window';
import { memoryJournal } from '../conversations/shelves/memory-journal';
import { memoryConversation } from '../conversations/shelves/recorded';
import { Troubles } from '../conversations/troubles';
import { type CountTokens, TokenLedger } from '../engine/conversation/tokens';
import { defaultStrategy, findStrategy, parameterOwners } from '../engine/run/prepare/registry';
import { unknownStrategy } from '../engine/run/prepare/run';
import type { Effects } from '../engine/run/workbench';
import { CircuitBreaker } from '../models/circuit-breaker';
import { AgentContext } from './agent-context';
import { checkContextOptions } from './check-options';
import { InvalidOption } from './invalid-option';
import type { ContextOptions } from './options';
import type { Setting } from './setting';
import { needEmbedder, toolsOf } from './tools';

/**
 * A context for one conversation of an agent. Throws `UnknownStrategy`, `EmbedderMissing` for a strategy that searches by
 * meaning without one, and `InvalidOption` for an option that is unknown or has a value that it does not take.
 *
 * @example
 * const context = await createContext({ window: 200_000 });
 * await context.append({ role: 'user', content: 'Fix the parser.' });
 * await context.compactIfNeeded();
 * const request = context.messages();
 */
export async function createContext(options: ContextOptions): Promise<AgentContext> {
  checkContextOptions(options);
  const setting = await settingOf(options);
  const { conversation = memoryConversation(), id = setting.effects.newId() } = options;
  const { journal = memoryJournal({ agent: 'strata', id, file: '' }) } = options;
  // `compactIfNeeded` returns failures, so they are not reported here.
  return new AgentContext(setting, { conversation, journal }, new Troubles(() => undefined), {
    id: journal.session.id,
  });
}

/** Fills missing options with their defaults. */
export async function settingOf(options: ContextOptions): Promise<Setting> {
  const { window, parameters, verification = 'repair', strategy = defaultStrategy } = options;
  const choice = findStrategy(strategy);
  if (!choice) throw unknownStrategy(strategy);
  needEmbedder(choice, options);
  checkParameters(options);
  const effects = effectsOf(options);
  const breaker = new CircuitBreaker(effects.clock);
  return {
    window,
    strategy,
    parameters: { ...smallWindowParameters(window), ...parameters },
    verification,
    tools: toolsOf(options, breaker),
    breaker,
    ledger: new TokenLedger(options.countTokens ?? (await estimate())),
    automation: automationOf(options),
    effects,
    threads: goesToThreads(options) ? (options.threads ?? null) : null,
    onSchedule: (sentence) => options.onSchedule?.(sentence),
  };
}

/** Not in `check-options.ts`, because the strategies with these parameters are half of the library. */
function checkParameters({ parameters = {} }: Pick<ContextOptions, 'parameters'>): void {
  const owners = new Map(parameterOwners().map(({ name, defaults }) => [name, Object.keys(defaults)]));
  for (const [strategy, set] of Object.entries(parameters)) {
    const known = owners.get(strategy);
    if (!known) throw invalid(parameters, `parameters of one of ${[...owners.keys()].join(', ')}`);
    if (Object.keys(set).some((name) => !known.includes(name)))
      throw invalid(parameters, `for ${strategy} one of ${known.join(', ')}`);
  }
}

function invalid(parameters: ContextOptions['parameters'], takes: string): InvalidOption {
  return new InvalidOption(`The option parameters takes ${takes}; it was ${JSON.stringify(parameters)}.`);
}

async function estimate(): Promise<CountTokens> {
  return (await import('../engine/conversation/token-estimate')).estimateTokens;
}

function goesToThreads({ countTokens }: ContextOptions): boolean {
  return countTokens === undefined || countTokens.counter !== undefined;
}

/** The editor's defaults for a window of 200,000 tokens, limited to a share of a small window. */
const floor = { share: 0.1, tokens: 20_000, most: 0.5 };
const pause = { share: 0.05, tokens: 10_000, most: 0.125 };

export function automationOf({ window, automation }: Pick<ContextOptions, 'window' | 'automation'>): AutomationOptions {
  return {
    enabled: true,
    floorTokens: tokensOf(floor, window),
    pauseTokens: tokensOf(pause, window),
    warnAtPercent: 90,
    schedule: 'cost',
    ...automation,
  };
}

function tokensOf({ share, tokens, most }: typeof floor, window: number): number {
  return Math.round(Math.max(window * share, Math.min(tokens, window * most)));
}

function effectsOf({ effects }: ContextOptions): Effects {
  return {
    now: () => new Date().toISOString(),
    clock: () => performance.now(),
    newId: () => crypto.randomUUID(),
    ...effects,
  };
}
