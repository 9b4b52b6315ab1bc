import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileVisible } from '../../../extension/host/session-tree/while-visible';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs when the view appears, again and again while it is seen, and not afterwards', () => {
  const view = fakeView();
  const ran = { appeared: vi.fn(), again: vi.fn() };
  const watching = whileVisible(view, 1_000, ran);
  vi.advanceTimersByTime(5_000);
  expect([ran.appeared, ran.again].map((each) => each.mock.calls.length)).toEqual([0, 0]);

  view.show(true);
  vi.advanceTimersByTime(2_500);
  expect([ran.appeared, ran.again].map((each) => each.mock.calls.length)).toEqual([1, 2]);

  view.show(false);
  vi.advanceTimersByTime(5_000);
  expect(ran.again).toHaveBeenCalledTimes(2);

  view.show(true);
  watching.dispose();
  vi.advanceTimersByTime(5_000);
  expect([ran.appeared, ran.again].map((each) => each.mock.calls.length)).toEqual([2, 2]);
});

test('a view that is seen already has appeared', () => {
  const appeared = vi.fn();
  whileVisible(fakeView(true), 1_000, { appeared, again: vi.fn() }).dispose();
  expect(appeared).toHaveBeenCalledOnce();
});

function fakeView(visible = false) {
  const listeners = new Set<(event: { visible: boolean }) => void>();
  return {
    visible,
    onDidChangeVisibility(listener: (event: { visible: boolean }) => void) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    show(isVisible: boolean) {
      for (const listener of listeners) listener({ visible: isVisible });
    },
  };
}
