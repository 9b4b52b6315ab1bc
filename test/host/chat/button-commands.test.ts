import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatServices } from '../../../extension/host/chat/chat-services';
import { chatCommandIds } from '../../../extension/host/command-ids';

const { commands, editor } = vi.hoisted(() => ({
  commands: new Map<string, (...args: readonly unknown[]) => Promise<unknown>>(),
  editor: {
    said: [] as string[],
    ran: [] as string[],
    settings: {} as Record<string, unknown>,
    picks: null as string | null,
  },
}));

vi.mock('vscode', async () => {
  const { chatApi } = await import('./chat-api');
  const say = async (message: string) => void editor.said.push(message);
  return {
    ...chatApi(),
    QuickPickItemKind: { Separator: -1 },
    ConfigurationTarget: { Global: 1 },
    Disposable: { from: () => ({}) },
    commands: {
      registerCommand: (id: string, handler: (...args: readonly unknown[]) => Promise<unknown>) => {
        commands.set(id, handler);
      },
      executeCommand: async (id: string) => void editor.ran.push(id),
    },
    window: {
      showInformationMessage: say,
      showWarningMessage: say,
      showErrorMessage: say,
      showQuickPick: async (items: readonly { label: string }[]) => items.find(({ label }) => label === editor.picks),
    },
    workspace: {
      workspaceFolders: [],
      getConfiguration: (section: string) => ({
        get: (name: string, standard: unknown) => editor.settings[`${section}.${name}`] ?? standard,
        inspect: () => undefined,
        update: async (name: string, value: unknown) => {
          editor.settings[`${section}.${name}`] = value;
        },
      }),
    },
  };
});

async function answer(offer: string): Promise<void> {
  const { registerChatButtons } = await import('../../../extension/host/chat/button-commands');
  const services = {
    inspector: { inspection: null },
    models: {},
    log: { error: (text: string) => editor.said.push(text) },
  };
  registerChatButtons(services as unknown as ChatServices, {} as never);
  await commands.get(chatCommandIds.answerWriter)?.('pi', offer, '');
}

describe('an answer in the chat to the question of who writes', () => {
  beforeEach(() => void Object.assign(editor, { said: [], ran: [], settings: {}, picks: null }));

  it('is confirmed if no model writes', async () => {
    await answer('none');
    expect(editor.settings['strata.summarizer.kind']).toBe('none');
    expect([editor.said, editor.ran]).toEqual([['Summaries are written without a model.'], []]);
  });

  it('is chosen from the list if it is no longer available', async () => {
    editor.picks = 'No model';
    await answer('["vscode","a model that is gone"]');
    expect(editor.settings['strata.summarizer.kind']).toBe('none');
    expect(editor.said).toEqual(['This answer is no longer available.', 'Summaries are written without a model.']);
  });

  it('changes nothing if it is no longer available and the person chooses nothing from the list', async () => {
    await answer('["vscode","a model that is gone"]');
    expect([editor.settings, editor.said]).toEqual([{}, ['This answer is no longer available.']]);
  });
});
