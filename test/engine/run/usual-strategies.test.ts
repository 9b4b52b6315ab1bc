import { expect, it } from 'vitest';
import { isUsual, registerStrategy, strategyChoices } from '../../../extension/engine/run/prepare/registry';
import { pruneStrategy } from '../../../extension/engine/strategies/prune';

it('offers five usual strategies and those that a program registers', () => {
  const usual = () => strategyChoices().flatMap((choice) => (isUsual(choice) ? [choice.name] : []));
  expect(usual()).toEqual(['ladder', 'pipeline', 'checkpoint', 'prune', 'codex']);

  const remove = registerStrategy({ ...pruneStrategy, name: 'our-own' });
  expect(usual()).toContain('our-own');
  remove();
});
