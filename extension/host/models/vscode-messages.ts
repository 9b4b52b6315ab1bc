import type * as vscode from 'vscode';
import type { ContextMessage } from '../../engine/conversation/context';
import type { ImagePart, Part, ToolCallPart } from '../../engine/conversation/entry';
import { paired } from '../../middleware/paired';

/** The part of VS Code's API that messages are made of. */
export interface MessageApi
  extends Pick<
    typeof vscode,
    'LanguageModelChatMessage' | 'LanguageModelTextPart' | 'LanguageModelToolCallPart' | 'LanguageModelToolResultPart'
  > {
  /** Newer than the oldest VS Code that Strata runs in. */
  readonly LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): object };
}

/** What a message of a person may hold. A picture is one of them where VS Code knows pictures, which its types do not say. */
type UserPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart;
type AssistantPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/**
 * A context as VS Code's models take it. They know a user and an assistant only, so system prompt and core speak as the
 * user. The results of one reply stand in one message directly behind it, as providers demand. Reasoning is left out,
 * as is a message that says nothing.
 */
export function contextAsVscode(
  messages: readonly ContextMessage[],
  api: MessageApi,
): vscode.LanguageModelChatMessage[] {
  return withResultsJoined(paired(messages)).flatMap(({ isReply, parts }) => {
    const { LanguageModelChatMessage } = api;
    if (isReply) {
      const content = parts.flatMap((part) => assistantPart(part, api));
      return content.length === 0 ? [] : [LanguageModelChatMessage.Assistant(content)];
    }
    const content = userParts(parts, api);
    return content.length === 0 ? [] : [LanguageModelChatMessage.User(content)];
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

function assistantPart(part: Part, api: MessageApi): AssistantPart[] {
  switch (part.type) {
    case 'text':
      return textPart(part.text, api);
    case 'tool_call':
      return [new api.LanguageModelToolCallPart(part.callId, part.name, inputObject(part))];
    case 'image':
      return [picture(part, api)];
    case 'reasoning':
    case 'tool_definitions':
    case 'tool_result':
      return [];
  }
}

/** Pictures of a result stand inside it: nothing may come between two results. */
function userParts(parts: readonly Part[], api: MessageApi): UserPart[] {
  const made: UserPart[] = [];
  let result: vscode.LanguageModelToolResultPart | null = null;
  for (const part of parts) {
    if (part.type === 'tool_result') {
      result = new api.LanguageModelToolResultPart(part.callId, [new api.LanguageModelTextPart(part.text)]);
      made.push(result);
    } else if (part.type === 'image') (result?.content ?? made).push(picture(part, api));
    else if (part.type === 'text') made.push(...textPart(part.text, api));
  }
  return made;
}

/** Providers refuse a text with nothing in it. */
function textPart(text: string, { LanguageModelTextPart }: MessageApi): vscode.LanguageModelTextPart[] {
  return text.trim() === '' ? [] : [new LanguageModelTextPart(text)];
}

function picture({ mediaType, data }: ImagePart, api: MessageApi): vscode.LanguageModelTextPart {
  if (data === null) return new api.LanguageModelTextPart(`[${mediaType} that the session file does not hold]`);
  const { LanguageModelDataPart } = api;
  if (!LanguageModelDataPart) return new api.LanguageModelTextPart(`[${mediaType} that this editor cannot pass on]`);
  // The types of VS Code 1.104 know no part for data; a message takes one all the same where there is one.
  return LanguageModelDataPart.image(
    new Uint8Array(Buffer.from(data, 'base64')),
    mediaType,
  ) as vscode.LanguageModelTextPart;
}

/** What a model gave as its input may be no object, or no JSON at all; VS Code takes nothing else. */
function inputObject({ input }: ToolCallPart): object {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return input === null || input === undefined ? {} : { input };
}
