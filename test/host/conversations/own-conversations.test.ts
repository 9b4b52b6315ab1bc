import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileStores } from '../../../extension/conversations/shelves/file-stores';
import { manageConversations } from '../../../extension/host/conversations/manage-conversations';
import { OldConversations } from '../../../extension/host/conversations/old-conversations';
import type { SessionList } from '../../../extension/host/opening/session-list';

/** Tests of what a person sees of kept conversations, and how long they are kept. */

const editor = vi.hoisted(() => ({ keepDays: 0, picked: '', answer: 'Delete', shown: [] as string[] }));

vi.mock('vscode', () => ({
  l10n: { t: (message: string, ...values: unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
  env: { language: 'en' },
  workspace: {
    getConfiguration: () => ({ get: (name: string) => (name === 'conversations.keepDays' ? editor.keepDays : 0) }),
  },
  window: {
    showQuickPick: async (asked: Promise<{ label: string; description: string }[]>, { title }: { title: string }) => {
      const items = await asked;
      editor.shown.push(title, ...items.map(({ label, description }) => `${label}: ${description}`));
      return items.filter(({ label }) => label.includes(editor.picked));
    },
    showWarningMessage: async (message: string) => {
      editor.shown.push(message);
      return editor.answer;
    },
    showInformationMessage: async (message: string) => void editor.shown.push(message),
  },
}));

const log = { info: vi.fn(), error: vi.fn() };
const sessions = { read: async () => [], refresh: async () => undefined } as unknown as SessionList;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-host-kept-'));
  Object.assign(editor, { keepDays: 0, picked: '', answer: 'Delete', shown: [] });
  await keep('old', 40);
  await keep('new', 0);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Stores a conversation that was last written to this many days ago. */
async function keep(id: string, days: number): Promise<void> {
  const { path, conversation } = await fileStores({ folder, id });
  const timestamp = '2026-01-01T00:00:00.000Z';
  await conversation.append([{ id: `${id}-1`, role: 'user', parts: [{ type: 'text', text: 'Hello.' }], timestamp }]);
  const written = new Date(Date.now() - days * 86_400_000);
  await utimes(path, written, written);
}

async function left(): Promise<string[]> {
  return (await readdir(join(folder, 'conversations'))).filter((name) => name.endsWith('.jsonl')).sort();
}

describe('kept conversations', () => {
  it('are listed with how much lies where, and the picked ones are deleted', async () => {
    editor.picked = 'old';
    await manageConversations(folder, sessions);
    expect(editor.shown[0]).toMatch(/^2 conversations of Strata, [\d.]+ kB, in /);
    expect(editor.shown[0]).toContain(folder);
    expect(editor.shown.slice(1, 3)).toEqual([expect.stringMatching(/^new.*kB/), expect.stringMatching(/^old.*kB/)]);
    expect(editor.shown.at(-1)).toMatch(/^Deleted 1 conversations/);
    expect(await left()).toEqual(['new.jsonl']);
  });

  it('stay if the person does not agree', async () => {
    editor.answer = '';
    await manageConversations(folder, sessions);
    expect(await left()).toEqual(['new.jsonl', 'old.jsonl']);
  });
});

describe('the setting of days', () => {
  async function prune(): Promise<void> {
    const kept = new OldConversations(folder, log);
    await kept.prune();
    kept.dispose();
  }

  it('keeps everything where it is not set', async () => {
    await prune();
    expect(await left()).toEqual(['new.jsonl', 'old.jsonl']);
  });

  it('deletes what was not written to for longer, and says so in the log', async () => {
    editor.keepDays = 30;
    const kept = new OldConversations(folder, log);
    onTestFinished(() => kept.dispose());
    const deleted = expect.stringMatching(/conversation old.*keepDays is 30/);
    await vi.waitFor(() => expect(log.info).toHaveBeenCalledWith(deleted));
    expect(await left()).toEqual(['new.jsonl']);
    expect(log.error).not.toHaveBeenCalled();
  });
});
