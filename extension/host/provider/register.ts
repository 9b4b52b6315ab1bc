import * as vscode from 'vscode';
import type { ChatModel } from '../../models/chat-model';
import { type RequestServices, requestRecorder } from '../conversations/request-notices';
import { chatModels, languageApi, nothingRegistered } from '../language-api';
import type { ModelAccess } from '../models/model-access';
import { vscodeChat } from '../models/vscode-chat';
import { readSetting } from '../settings';
import { endpointOfSettings, offeredEndpoint } from './endpoint';
import { endpointTarget } from './endpoint-target';
import { lmTarget } from './lm-target';
import { ModelList } from './model-list';
import { type OfferSource, vendor } from './offers';
import { setUpName, setUpText } from './set-up-text';
import { StrataProvider } from './strata-provider';
import type { Target } from './target';

interface ModelProviderServices extends RequestServices {
  readonly models: ModelAccess;
}

const settings = ['strata.chat', 'strata.summarizer.openai'];

/** An extension whose models change whenever they are asked for is not asked without a pause. In milliseconds. */
const settleMs = 1000;

interface ModelProvider extends vscode.Disposable {
  /**
   * The model that answers for the selected one, for a chat that compacts by itself: a model of Strata would compact it a second time. Null
   * for the entry that explains how to get a model. Rejects if the person does not consent.
   */
  chatModelOf(picked: vscode.LanguageModelChat): Promise<ChatModel | null>;
  /** The id of the conversation in which a model of Strata was active within the last ten minutes. */
  recentConversation(): string | null;
}

/** Strata's models in the model picker of every chat. */
export function registerModelProvider(services: ModelProviderServices): ModelProvider {
  const { models, log } = services;
  const changed = new vscode.EventEmitter<void>();
  const list = modelList(changed, log);
  const requests = requestRecorder(services, 'model-provider');
  const provider = new StrataProvider({
    models: list,
    requests,
    target: (source) => targetOf(source, models),
    setUpText,
    notFound,
    onDidChange: changed.event,
    now: () => new Date().toISOString(),
  });
  const settled = afterwards(() => void list.refresh(), settleMs);
  void list.refresh();
  const registrations = vscode.Disposable.from(
    changed,
    languageApi().registerLanguageModelChatProvider?.(vendor, provider) ?? nothingRegistered,
    settled,
    languageApi().onDidChangeChatModels?.(() => settled.again()) ?? nothingRegistered,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (settings.some((name) => event.affectsConfiguration(name))) list.update();
    }),
  );
  return {
    recentConversation: () => requests.recentConversation(),
    chatModelOf: (picked) => chatModelOf(picked, list, models),
    dispose: () => registrations.dispose(),
  };
}

async function chatModelOf(
  picked: vscode.LanguageModelChat,
  list: ModelList,
  models: ModelAccess,
): Promise<ChatModel | null> {
  if (picked.vendor !== vendor) return vscodeChat(picked);
  const source = list.find(picked.id)?.source;
  switch (source?.kind) {
    case 'set-up':
      return null;
    case 'lm':
      return vscodeChat(source.chat);
    case 'endpoint': {
      const endpoint = endpointOfSettings(models);
      await endpoint.admit();
      return await endpoint.open();
    }
    case undefined:
      throw notFound(picked.id);
  }
}

function notFound(id: string): Error {
  return vscode.LanguageModelError.NotFound(vscode.l10n.t('Strata does not offer "{0}" at the moment.', id));
}

/** Acts once things have been quiet for a while. */
function afterwards(act: () => void, quietMs: number): vscode.Disposable & { again(): void } {
  let waiting: NodeJS.Timeout | undefined;
  return {
    again: () => {
      clearTimeout(waiting);
      waiting = setTimeout(act, quietMs);
    },
    dispose: () => clearTimeout(waiting),
  };
}

function modelList(changed: vscode.EventEmitter<void>, log: vscode.LogOutputChannel): ModelList {
  return new ModelList({
    chats: () => chatModels({}),
    settings: () => ({ endpoint: offeredEndpoint(), wrapsModels: wrapsModels(), setUpName: setUpName() }),
    changed: () => changed.fire(),
    failed: (error) => log.error(`VS Code did not say which language models there are: ${error}`),
  });
}

function wrapsModels(): boolean {
  return readSetting<boolean>('chat.wrapModels', true);
}

function targetOf(source: Exclude<OfferSource, { kind: 'set-up' }>, models: ModelAccess): Target {
  if (source.kind === 'endpoint') return endpointTarget(endpointOfSettings(models));
  return lmTarget(source.chat);
}
