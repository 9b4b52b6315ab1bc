import { type CountTokens, TokenLedger } from '../engine/conversation/tokens';
import { defaultStrategy, findStrategy, type StrategyChoice } from '../engine/run/registry';
import { UnknownStrategy } from '../engine/run/run';
import { CircuitBreaker } from '../models/circuit-breaker';
import { AgentContext } from './agent-context';
import type { AutomationOptions, ContextOptions, Effects } from './options';
import type { Setting } from './setting';
import { smallWindowParameters } from './small-window';
import { memoryConversation, memoryJournal } from './stores';
import { needEmbedder, toolsOf } from './tools';

/**
 * A context for one conversation of an agent. Throws `UnknownStrategy`, `EmbedderMissing` for a strategy that searches by
 * meaning without one, and `RangeError` for a window that is none.
 *
 * @example
 * const context = await createContext({ window: 200_000 });
 * await context.append({ role: 'user', content: 'Fix the parser.' });
 * await context.compactIfNeeded();
 * const request = context.messages();
 */
export async function createContext(options: ContextOptions): Promise<AgentContext> {
  return new AgentContext(await settingOf(options));
}

/** What is left open takes its default. */
export async function settingOf(options: ContextOptions): Promise<Setting> {
  const { window, parameters, verification = 'repair' } = options;
  if (!(window > 0)) throw new RangeError(`A window of ${window} tokens takes nothing.`);
  const effects = effectsOf(options);
  const breaker = new CircuitBreaker(effects.clock);
  const choice = chosen(options.strategy ?? defaultStrategy);
  needEmbedder(choice, options);
  return {
    window,
    choice,
    parameters: { ...smallWindowParameters(window), ...parameters },
    verification,
    tools: toolsOf(options, breaker),
    breaker,
    ledger: new TokenLedger(options.countTokens ?? (await tokenizer())),
    store: options.conversation ?? memoryConversation(),
    journal: options.journal ?? memoryJournal({ agent: 'strata', id: options.id ?? effects.newId(), file: '' }),
    automation: automationOf(options),
    effects,
  };
}

function chosen(name: string): StrategyChoice {
  const choice = findStrategy(name);
  if (!choice) throw new UnknownStrategy(`There is no strategy named "${name}".`);
  return choice;
}

async function tokenizer(): Promise<CountTokens> {
  return (await import('../engine/conversation/tokenizer')).countWithO200k;
}

/** As the editor's settings are for a window of 200,000 tokens, and no more than a share of a small one. */
const floor = { share: 0.1, tokens: 20_000, most: 0.5 };
const pause = { share: 0.05, tokens: 10_000, most: 0.125 };

export function automationOf({ window, automation }: Pick<ContextOptions, 'window' | 'automation'>): AutomationOptions {
  return {
    enabled: true,
    floorTokens: tokensOf(floor, window),
    pauseTokens: tokensOf(pause, window),
    warnAtPercent: 90,
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
