import type * as vscode from 'vscode';
import type { OwnConversation } from '../../inspection/own-conversation';
import { placeMetadata } from './history-reader';

/** What VS Code keeps with an answer: where the chat stands in its conversation. */
export function chatResult({ id }: OwnConversation, leaf: string | null, command?: string): vscode.ChatResult {
  return { metadata: { ...placeMetadata({ conversation: id, leaf }), command } };
}
