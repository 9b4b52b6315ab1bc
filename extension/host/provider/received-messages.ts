import * as vscode from 'vscode';
import type { ImagePart } from '../../engine/conversation/entry';
import { stableJson } from '../../middleware/recognition/chain';
import type { ReceivedMessage, ReceivedPart, ReceivedResult } from '../../middleware/recognition/received';
import { newerParts } from '../language-api';

/** Not in the typings: some clients of VS Code may send system prompts. */
export const systemRole = 3;
export const userRole = 1;
const assistantRole = 2;

/** The messages of a request, as far as they can be read. */
export function receivedMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): ReceivedMessage[] {
  return messages.map((message) => receivedMessage(message));
}

export function receivedMessage({
  role,
  content,
}: Pick<vscode.LanguageModelChatRequestMessage, 'role' | 'content'>): ReceivedMessage {
  return { role: roleOf(role), parts: content.flatMap((part) => receivedPart(part)) };
}

function roleOf(role: number): ReceivedMessage['role'] {
  if (role === systemRole) return 'system';
  return role === assistantRole ? 'assistant' : 'user';
}

/** The client's marks for the prompt cache and its other data contain nothing that a model reads. */
function receivedPart(part: unknown): ReceivedPart[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return [{ type: 'tool_call', callId: part.callId, name: part.name, input: part.input }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) return [resultOf(part)];
  const reasoning = reasoningOf(part);
  if (reasoning !== null) return [{ type: 'reasoning', text: reasoning }];
  return dataPart(part);
}

export function reasoningOf(part: unknown): string | null {
  const { LanguageModelThinkingPart } = newerParts();
  if (LanguageModelThinkingPart === undefined || !(part instanceof LanguageModelThinkingPart)) return null;
  return typeof part.value === 'string' ? part.value : part.value.join('');
}

function resultOf(part: vscode.LanguageModelToolResultPart): ReceivedResult {
  const pieces = part.content.flatMap((piece) => resultPiece(piece));
  const text = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n');
  const images = pieces.filter((piece): piece is ImagePart => piece.type === 'image');
  const isError = 'isError' in part && part.isError === true;
  return { type: 'tool_result', callId: part.callId, name: null, text, isError, images };
}

function resultPiece(piece: unknown): ReceivedPart[] {
  if (piece instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: piece.value }];
  if (isData(piece)) return dataPart(piece);
  // A prompt that was built as a tree can only be read as JSON.
  const isTree = typeof piece === 'object' && piece !== null && 'value' in piece;
  return isTree ? [{ type: 'text', text: stableJson(piece.value) }] : [];
}

interface Data {
  readonly mimeType: string;
  readonly data: Uint8Array;
}

/** Recognised by shape, because not every version has the class. */
export function isData(part: unknown): part is Data {
  if (typeof part !== 'object' || part === null || !('mimeType' in part) || !('data' in part)) return false;
  return typeof part.mimeType === 'string' && part.data instanceof Uint8Array;
}

export function isImage(part: unknown): boolean {
  return isData(part) && part.mimeType.startsWith('image/');
}

function dataPart(part: unknown): (ImagePart | { readonly type: 'text'; readonly text: string })[] {
  if (!isData(part)) return [];
  const { mimeType: mediaType, data } = part;
  if (isImage(part)) return [{ type: 'image', mediaType, data: Buffer.from(data).toString('base64') }];
  const isText = mediaType.startsWith('text/') || mediaType === 'application/json';
  if (isText) return [{ type: 'text', text: Buffer.from(data).toString('utf8') }];
  // Marks of the client, such as those for a prompt cache, have names that are not media types.
  return mediaType.includes('/') ? [{ type: 'text', text: `[${mediaType} of ${data.length} bytes]` }] : [];
}
