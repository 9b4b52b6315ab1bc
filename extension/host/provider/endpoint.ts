import * as vscode from 'vscode';
import { contextAsOpenAi } from '../../middleware/openai';
import type { ChatModel } from '../../models/chat-model';
import { openAiDefaults } from '../../models/openai/client';
import { endpointOf } from '../../models/openai/endpoint';
import { openAiAccess } from '../../models/openai/environment';
import { openAiChat } from '../../models/openai/openai-chat';
import { contextWindowOf } from '../../sessions/model-windows';
import { assumedModelWindow } from '../../summarizers/model/room';
import { type Destination, openAiDestination } from '../models/destination';
import type { ModelAccess } from '../models/model-access';
import { type ModelSettings, readModelSettings } from '../models/model-settings';
import type { Endpoint } from './endpoint-target';
import type { OfferedEndpoint } from './offers';

/** The OpenAI-compatible endpoint of the settings; null if none is set. */
export function offeredEndpoint(): OfferedEndpoint | null {
  const { openAi, chat } = readModelSettings();
  if (openAi.baseUrl === '' || chat.model === '') return null;
  return { model: chat.model, contextWindow: windowOf(chat) };
}

function windowOf({ model, contextWindow }: ModelSettings['chat']): number {
  return contextWindow || contextWindowOf(model) || assumedModelWindow;
}

export function endpointOfSettings({ apiKey, consent }: ModelAccess): Endpoint {
  const { openAi, chat } = readModelSettings();
  const { baseUrl, timeoutMs } = openAi;
  const { model } = chat;
  const window = windowOf(chat);
  return {
    model,
    contextWindow: window,
    admit: async () => {
      const destination = chatDestination(baseUrl, model);
      if (await consent.ask(destination)) return;
      throw vscode.LanguageModelError.NoPermissions(notAgreed(destination.name));
    },
    open: async (): Promise<ChatModel> => {
      const access = openAiAccess({ baseUrl, model, apiKey: await apiKey.read() }, process.env);
      const { retries } = openAiDefaults;
      return openAiChat({ ...access, asMessages: contextAsOpenAi, contextWindow: window, timeoutMs, retries });
    },
  };
}

/** More is sent than for a summary, so this consent is separate. Throws `ModelFailed` for an invalid address. */
function chatDestination(baseUrl: string, model: string): Destination {
  const destination = openAiDestination(baseUrl, model);
  const everything = vscode.l10n.t(
    'Everything in chats with this model is sent there: what you and the model say, and what its tools were given and returned, files included.',
  );
  const open = endpointOf(baseUrl).isEncrypted ? '' : ` ${vscode.l10n.t('The connection is not encrypted.')}`;
  return {
    ...destination,
    id: `chat ${destination.id}`,
    sent: destination.isLocal ? destination.sent : `${everything}${open}`,
    question: vscode.l10n.t('Let {0} answer your chats?', destination.name),
  };
}

function notAgreed(name: string): string {
  return vscode.l10n.t('You have not agreed that what you write is sent to {0}. Send it again to be asked.', name);
}
