import * as vscode from 'vscode';
import type { ContextMessage } from '../../engine/conversation/context';
import type { ImagePart, Part, ToolCallPart } from '../../engine/conversation/entry';
import { paired } from '../../middleware/paired';
import { newerParts } from '../language-api';

/** Parts of a user message. Image parts are passed as these, because the types of the oldest VS Code lack them. */
type UserPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart;
type AssistantPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/**
 * Converts a context to messages of VS Code. The API has only user and assistant roles, so system prompt and core become
 * user messages. All results of a reply go into one message directly after it, as providers require. Leaves out
 * reasoning and empty messages.
 */
export function contextAsVscode(messages: readonly ContextMessage[]): vscode.LanguageModelChatMessage[] {
  return withResultsJoined(paired(messages)).flatMap(({ isReply, parts }) => {
    if (isReply) {
      const content = parts.flatMap((part) => assistantPart(part));
      return content.length === 0 ? [] : [vscode.LanguageModelChatMessage.Assistant(content)];
    }
    const content = userParts(parts);
    return content.length === 0 ? [] : [vscode.LanguageModelChatMessage.User(content)];
  });
}

interface Speech {
  readonly isReply: boolean;
  readonly isResult: boolean;
  readonly parts: readonly Part[];
}

function withResultsJoined(messages: readonly ContextMessage[]): Speech[] {
  const speeches: Speech[] = [];
  for (const { role, parts } of messages) {
    const last = speeches.at(-1);
    const isResult = role === 'tool';
    if (isResult && last?.isResult) speeches[speeches.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    else speeches.push({ isReply: role === 'assistant', isResult, parts });
  }
  return speeches;
}

function assistantPart(part: Part): AssistantPart[] {
  switch (part.type) {
    case 'text':
      return textPart(part.text);
    case 'tool_call':
      return [new vscode.LanguageModelToolCallPart(part.callId, part.name, inputObject(part))];
    case 'image':
      return [picture(part)];
    case 'reasoning':
    case 'tool_definitions':
    case 'tool_result':
      return [];
  }
}

/** Images of a result go inside it, because nothing may separate two results. */
function userParts(parts: readonly Part[]): UserPart[] {
  const made: UserPart[] = [];
  let result: vscode.LanguageModelToolResultPart | null = null;
  for (const part of parts) {
    if (part.type === 'tool_result') {
      result = new vscode.LanguageModelToolResultPart(part.callId, [new vscode.LanguageModelTextPart(part.text)]);
      made.push(result);
    } else if (part.type === 'image') (result?.content ?? made).push(picture(part));
    else if (part.type === 'text') made.push(...textPart(part.text));
  }
  return made;
}

/** Providers refuse empty texts. */
function textPart(text: string): vscode.LanguageModelTextPart[] {
  return text.trim() === '' ? [] : [new vscode.LanguageModelTextPart(text)];
}

function picture({ mediaType, data }: ImagePart): vscode.LanguageModelTextPart {
  if (data === null) return new vscode.LanguageModelTextPart(`[${mediaType} that the session file does not hold]`);
  const { LanguageModelDataPart } = newerParts();
  if (!LanguageModelDataPart) return new vscode.LanguageModelTextPart(`[${mediaType} that this editor cannot pass on]`);
  // The types of VS Code 1.104 have no data part, but messages accept one at run time.
  return LanguageModelDataPart.image(
    new Uint8Array(Buffer.from(data, 'base64')),
    mediaType,
  ) as vscode.LanguageModelTextPart;
}

/** Tools of VS Code accept only objects. Anything else that a model gave is wrapped in one, so that the tool can report it. */
export function inputObject({ input }: ToolCallPart): object {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return input === null || input === undefined ? {} : { input };
}
