import { expect, it } from 'vitest';
import { targetsFor } from '../../../webview/state/preview/preview-target';

it('targets are round shares of the window below the size of the context', () => {
  const targets = targetsFor({ total: 66_000, window: 200_000 });
  expect(targets.map(({ tokens }) => tokens)).toEqual([60_000, 50_000, 40_000, 30_000, 20_000]);
  expect(targets[0]?.label).toBe('60k, 30 % of the window');
  expect(targetsFor({ total: 0, window: 200_000 })).toEqual([]);
});
