import * as vscode from 'vscode';
import type { EditorConversation } from '../conversations/editor-conversations';
import type { ChatPlace, PastTurn } from './chat-history';

/** VS Code stores this with an answer: the chat's position in its conversation. */
export function chatResult({ id }: EditorConversation, leaf: string | null, command?: string): vscode.ChatResult {
  const place: ChatPlace = { conversation: id, leaf };
  return { metadata: { strata: place, command } };
}

/** The turns of `@strata` in a chat, oldest first. A request whose answer is missing was cut short. */
export function pastTurns(history: vscode.ChatContext['history']): PastTurn[] {
  const turns: PastTurn[] = [];
  for (const turn of history) {
    if (turn instanceof vscode.ChatRequestTurn) {
      const { prompt, command, references } = turn;
      turns.push({ prompt, command, references, answer: '', place: null });
    } else {
      const request = turns.pop();
      if (request) turns.push({ ...request, answer: answerText(turn), place: placeOf(turn.result) });
    }
  }
  return turns;
}

function answerText({ response }: vscode.ChatResponseTurn): string {
  return response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('')
    .trim();
}

function placeOf({ metadata }: vscode.ChatResult): ChatPlace | null {
  const { conversation, leaf } = (metadata?.strata ?? {}) as { conversation?: unknown; leaf?: unknown };
  if (typeof conversation !== 'string') return null;
  return { conversation, leaf: typeof leaf === 'string' ? leaf : null };
}

/**
 * Finds the chat of VS Code that a request belongs to, by the request's token. Every VS Code from 1.104 on has it there, though the API does not
 * promise it; null if it is missing. It is needed only if the first message of a chat is edited or sent again.
 */
export function chatIdOf(token: unknown): string | null {
  if (typeof token !== 'object' || token === null) return null;
  const { sessionResource, sessionId } = token as { sessionResource?: unknown; sessionId?: unknown };
  if (sessionResource instanceof vscode.Uri) return sessionResource.toString();
  return typeof sessionId === 'string' ? sessionId : null;
}
