import * as vscode from 'vscode';
import { cancellationBy } from '../cancellation';
import { failureDetail, failureText } from '../failures/failure-text';
import { chatApi, nothingRegistered } from '../language-api';
import type { Placements } from '../panel/placements';
import { registerChatButtons } from './button-commands';
import { type ChatCall, type ChatServices, followInPanel } from './chat-services';
import { setAutoCompact } from './commands/autocompact';
import { previewCompaction } from './commands/compact';
import { tellContext } from './commands/context';
import { pinText, tellCore } from './commands/core';
import { draftNextChat } from './commands/handoff';
import { setStrategy } from './commands/strategy';
import { redoLast, undoLast } from './commands/undo';
import { converse } from './converse';
import { chatResult } from './history-reader';

/** As package.json has it. */
const participantId = 'strata.chat';

export function registerChat(services: ChatServices, placements: Placements): vscode.Disposable {
  return vscode.Disposable.from(registerParticipant(services), registerChatButtons(services, placements));
}

/** `@strata`: an assistant whose history is a conversation of Strata, so that the panel shows exactly what the model is sent. */
export function registerParticipant(services: ChatServices): vscode.Disposable {
  const participant = chatApi().createChatParticipant?.(participantId, (request, context, stream, token) =>
    answer(services, request, context, stream, token),
  );
  if (participant === undefined) return nothingRegistered;
  participant.iconPath = vscode.Uri.joinPath(services.extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups: (result) => followUps(result) };
  return participant;
}

async function answer(
  services: ChatServices,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  using cancellation = cancellationBy(token, () => new vscode.CancellationError());
  try {
    const chat = await services.chats.open(request, context);
    await followInPanel(services, chat.conversation);
    try {
      return await respond({ services, request, stream, token, signal: cancellation.signal, chat });
    } finally {
      // At the end: VS Code folds away what comes before a tool call.
      for (const notice of chat.notices) stream.markdown(`\n\n> ${notice}`);
    }
  } catch (error) {
    services.log.error(failureDetail(error));
    return { errorDetails: { message: failureText(error) } };
  }
}

/** A slash command of `@strata`. The text after it is its argument. */
type ChatCommand = (call: ChatCall, argument: string) => Promise<void>;

/** By their names in package.json. */
const chatCommands: Readonly<Partial<Record<string, ChatCommand>>> = {
  compact: previewCompaction,
  autocompact: setAutoCompact,
  undo: undoLast,
  redo: redoLast,
  pin: pinText,
  core: tellCore,
  strategy: setStrategy,
  context: tellContext,
  handoff: draftNextChat,
};

/** A slash command leaves the conversation as it is: the next message follows the same entry. */
async function respond(call: ChatCall): Promise<vscode.ChatResult> {
  const { request, chat, services } = call;
  const command = request.command === undefined ? undefined : chatCommands[request.command];
  if (!command) return await converse(call);
  try {
    await command(call, request.prompt.trim());
    await services.inspector.refresh();
    return chatResult(chat.conversation, chat.leaf, request.command);
  } catch (error) {
    services.log.error(failureDetail(error));
    return { ...chatResult(chat.conversation, chat.leaf), errorDetails: { message: failureText(error) } };
  }
}

/** Likely next steps: after the context, a preview of a compaction. */
function followUps({ errorDetails, metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
  if (errorDetails) return [];
  if (metadata?.command === 'context') {
    return [{ prompt: '', command: 'compact', label: vscode.l10n.t('What would a compaction do?') }];
  }
  return [{ prompt: '', command: 'context', label: vscode.l10n.t('What is in the context?') }];
}
