import { expect, it } from 'vitest';
import { strategyChoices } from '../../../extension/engine/run/prepare/registry';
import { isTokenParameter, tokenParameters } from '../../../extension/engine/strategies/token-parameters';

const parameterNames = new Set(
  strategyChoices().flatMap(({ steps }) => steps.flatMap(({ defaults }) => Object.keys(defaults))),
);

it('every parameter of a strategy whose name says tokens is scaled down in a small window', () => {
  const missing = [...parameterNames].filter((name) => name.endsWith('Tokens') && !isTokenParameter(name));
  expect(missing).toEqual([]);
});

it('every parameter that is scaled down is one of a strategy', () => {
  expect(tokenParameters.filter((name) => !parameterNames.has(name))).toEqual([]);
});
