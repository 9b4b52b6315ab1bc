import type { Parameters } from '../../engine/block/plan';
import { strategyChoices } from '../../engine/run/prepare/registry';
import { isTokenParameter, type TokenParameter } from '../../engine/strategies/token-parameters';

/** Shares of a small window that are reserved for the answer and for the newest turns. */
const reserveShare = 0.2;
const keptShare = 0.25;

/** The share of a small window that each takes. */
const shares: Readonly<Record<TokenParameter, number>> = {
  reserveTokens: reserveShare,
  keepRecentTokens: keptShare,
  keepUserTokens: keptShare,
  protectTokens: keptShare,
  minimumTokens: keptShare / 2,
  keepTokens: keptShare,
  clearAtLeast: keptShare / 10,
};

/** The defaults of the strategies are made for windows of 200,000 tokens; a window below this is too small for them. */
const smallBelow = 80_000;

/** Parameters for a window that is too small for the defaults; empty for others. */
export function smallWindowParameters(window: number): Readonly<Record<string, Parameters>> {
  if (window >= smallBelow) return {};
  const steps = strategyChoices().flatMap((choice) => choice.steps);
  return Object.fromEntries(steps.map(({ name, defaults }) => [name, fitting(defaults, window)]));
}

function fitting(defaults: Parameters, window: number): Parameters {
  const smaller = Object.entries(defaults).flatMap(([name, value]) => {
    if (!isTokenParameter(name) || typeof value !== 'number') return [];
    return [[name, Math.min(value, Math.round(window * shares[name]))] as const];
  });
  return Object.fromEntries(smaller);
}
