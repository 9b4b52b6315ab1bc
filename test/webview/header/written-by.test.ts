import { expect, it } from 'vitest';
import { writtenBy } from '../../../webview/state/header/written-by';
import { model, noModel } from '../builders/view';

it('names who writes the blocks beside Compact', () => {
  expect(writtenBy(noModel)).toBe('written without a model');
  expect(writtenBy(model)).toBe(`written by ${model.label}`);
});
