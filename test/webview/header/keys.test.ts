import { beforeAll, expect, it, vi } from 'vitest';
import { historyKey } from '../../../webview/state/header/keys';

beforeAll(() => {
  vi.stubGlobal('HTMLElement', class {});
  return () => vi.unstubAllGlobals();
});

const pressed = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>>) =>
  historyKey({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    composedPath: () => [],
    ...held,
  });

it('the keys of undo and redo are those of the editor, with Ctrl and with Cmd', () => {
  expect([pressed('z', { ctrlKey: true }), pressed('z', { metaKey: true })]).toEqual(['undo', 'undo']);
  expect([pressed('Z', { ctrlKey: true, shiftKey: true }), pressed('y', { ctrlKey: true })]).toEqual(['redo', 'redo']);
  expect([pressed('z', {}), pressed('z', { ctrlKey: true, altKey: true }), pressed('x', { ctrlKey: true })]).toEqual([
    null,
    null,
    null,
  ]);
});
