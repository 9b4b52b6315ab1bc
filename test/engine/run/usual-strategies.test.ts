import { expect, it } from 'vitest';
import { isUsual, registerStrategy, strategyChoices } from '../../../extension/engine/run/prepare/registry';
import { pruneStrategy } from '../../../extension/engine/strategies/prune';

it('the usual strategies are five, and what a program registers is offered with them', () => {
  const usual = () => strategyChoices().flatMap((choice) => (isUsual(choice) ? [choice.name] : []));
  expect(usual()).toEqual(['ladder', 'pipeline', 'checkpoint', 'prune', 'codex']);

  const remove = registerStrategy({ ...pruneStrategy, name: 'our-own' });
  expect(usual()).toContain('our-own');
  remove();
});
