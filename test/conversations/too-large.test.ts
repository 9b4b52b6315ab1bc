import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelFailed } from '../../extension/engine/block/language-model';
import type { Summarizer } from '../../extension/engine/block/summary';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { transparentSummarizer } from '../../extension/summarizers/transparent/transparent';
import { long } from '../builders/conversation';
import { FakeEditor } from '../host/gateway/fake-editor';
import { type DoorSetting, doors, type Said } from './doors';

/** Tests what docs/middleware.md promises for a request that does not fit. */

const fake = vi.hoisted(() => ({ editor: null as FakeEditor | null }));

vi.mock('vscode', async () => {
  const { chatApi } = await import('../host/chat/chat-api');
  const messages = await import('../host/provider/fake-editor');
  const api = () => {
    if (fake.editor === null) throw new Error('There is no editor yet');
    return fake.editor.api();
  };
  const names = ['Disposable', 'MarkdownString', 'StatusBarAlignment', 'commands', 'env', 'window', 'workspace'];
  const ofEditor = names.map((name) => [name, { enumerable: true, get: () => Reflect.get(api(), name) }]);
  return Object.defineProperties({ ...chatApi(), ...messages.editorApi }, Object.fromEntries(ofEditor));
});

const window = 8000;

beforeEach(() => {
  fake.editor = new FakeEditor();
});

function setting(summarizer: Summarizer = transparentSummarizer): DoorSetting {
  if (fake.editor === null) throw new Error('There is no editor yet');
  return { window, summarizer, notices: [], editor: fake.editor };
}

function turns(count: number, text: (at: number) => string): Said {
  return [...Array.from({ length: count * 2 }, (_, at) => text(at)), 'And now?'];
}

function tokensOf(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + countWithO200k(text), 0);
}

const failing: Summarizer = {
  name: 'broken',
  model: 'broken',
  concurrency: 1,
  summarize: () => Promise.reject(new ModelFailed('unavailable', 'The server is down.')),
};

describe('a request too large for the window behaves the same through all doors:', () => {
  for (const { name, send } of doors) {
    it(`through ${name} an extract replaces the summary of a failing summarizer, which is reported once`, async () => {
      const said = turns(20, (at) => `Part ${at}. ${long(`Look at part ${at}.`, 20)}`);
      expect(tokensOf(said)).toBeGreaterThan(window);
      const used = setting(failing);
      const sent = await send(said, used);
      expect(tokensOf(sent)).toBeLessThanOrEqual(window);
      expect(sent.at(-1)).toBe('And now?');
      expect(sent.join('\n')).toContain('[SUMMARIZED]');
      expect(sent.join('\n')).not.toContain('discarded]');
      expect(used.notices.filter((notice) => notice.includes('The server is down'))).toHaveLength(1);
    });

    it(`through ${name} the oldest turns are only counted if there is no room for their words`, async () => {
      const said = turns(200, () => '— '.repeat(100));
      expect(tokensOf(said)).toBeGreaterThan(window);
      const sent = await send(said, setting());
      expect(tokensOf(sent)).toBeLessThanOrEqual(window);
      expect(sent.at(-1)).toBe('And now?');
      expect(sent.join('\n')).toMatch(/\[… \d+ earlier turns? with \d+ calls?\]/);
    });

    it(`through ${name} a live turn that is too large by itself is sent unchanged`, async () => {
      const said = [long('Look at all of it.', 1000)];
      const used = setting();
      expect(tokensOf(said)).toBeGreaterThan(window);
      expect((await send(said, used)).at(-1)).toBe(said[0]);
      expect(used.notices.filter((notice) => notice.includes('nothing more of it can be compacted'))).toHaveLength(1);
    });
  }
});
