import type * as vscode from 'vscode';
import type { ChatModel } from '../../models/chat-model';
import type { EditorConversation, EditorConversations } from '../conversations/editor-conversations';
import type { Inspector } from '../inspector';
import type { ModelAccess } from '../models/model-access';
import type { LastSession } from '../opening/last-session';
import type { OpenChat, OpenChats } from './open-chats';
import type { PreparedRuns } from './prepared-runs';

/** The services of the chat participant; created once, in main.ts. */
export interface ChatServices {
  readonly extensionUri: vscode.Uri;
  readonly conversations: EditorConversations;
  readonly chats: OpenChats;
  readonly prepared: PreparedRuns;
  readonly inspector: Inspector;
  readonly lastSession: LastSession;
  readonly models: ModelAccess;
  /** The model that answers for the selected one; null for the entry that explains how to get a model. */
  readonly chatModelOf: (picked: vscode.LanguageModelChat) => Promise<ChatModel | null>;
  readonly log: vscode.LogOutputChannel;
}

/** One request to `@strata`, with the chat it belongs to. */
export interface ChatCall {
  readonly services: ChatServices;
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  readonly chat: OpenChat;
}

/**
 * Shows the conversation of a chat, unless the person is looking at another agent's session, or would do so after a reload of the window:
 * the last session is opened only when the panel is first seen.
 */
export async function followInPanel(
  { inspector, lastSession, log }: ChatServices,
  { workbench }: EditorConversation,
): Promise<void> {
  const { file } = workbench.session;
  const shown = inspector.inspection?.session ?? lastSession.read();
  if (inspector.inspection?.session.file === file) return await inspector.refresh();
  if (inspector.opening !== null || (shown !== null && shown.agent !== 'strata')) return;
  // If a panel cannot show it, the chat continues anyway.
  await inspector.open(file).catch((error) => log.error(`The inspector could not open ${file}: ${error}`));
}
