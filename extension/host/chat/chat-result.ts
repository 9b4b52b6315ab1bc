import type * as vscode from 'vscode';
import type { EditorConversation } from '../conversations/editor-conversations';
import { placeMetadata } from './history-reader';

/** What VS Code keeps with an answer: the chat's position in its conversation. */
export function chatResult({ id }: EditorConversation, leaf: string | null, command?: string): vscode.ChatResult {
  return { metadata: { ...placeMetadata({ conversation: id, leaf }), command } };
}
