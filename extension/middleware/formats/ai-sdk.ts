import type { ContextMessage } from '../../engine/conversation/context';
import { inputText, textOf } from '../../engine/conversation/entry';
import { type ReceivedMessage, type ReceivedPart, thinkingPlace } from '../recognition/received';
import { filePart } from './ai-sdk-files';
import type { AiSdkMessage, AiSdkReplyPart, AiSdkToolMessage, AiSdkToolPart, AiSdkUserPart } from './ai-sdk-message';
import { receivedResult, resultWithFate } from './ai-sdk-results';
import { remainingMessages } from './content';
import type { Alteration, MessageFormat } from './format';

/** Messages of an AI SDK prompt. The SDK puts all results of a reply into one message. */
export const aiSdkFormat: MessageFormat<AiSdkMessage> = {
  groupsOf: (messages) => messages.map((message) => ({ messages: [message], said: saidIn(message) })),
  altered: ({ messages }, alteration) => messages.flatMap((message) => alteredMessage(message, alteration)),
  made: (message) => [madeMessage(message)],
  withoutThinking: ({ messages }) => messages.flatMap(withoutThinking),
  marks: {
    of: (messages) => markOf(messages.at(-1)),
    on: (messages, mark) => messages.map((one) => marked(one, mark)),
  },
};

type ProviderOptions = NonNullable<AiSdkMessage['providerOptions']>;

/** The names of the marks of each provider. */
const markNames: ReadonlySet<string> = new Set(['cacheControl', 'cache_control', 'cachePoint']);

/** The options that mark a message or its newest marked part. */
function markOf(message: AiSdkMessage | undefined): ProviderOptions | undefined {
  if (message === undefined) return undefined;
  const parts = typeof message.content === 'string' ? [] : message.content;
  const options = [...parts.map(({ providerOptions }) => providerOptions), message.providerOptions];
  return options.map(marksIn).findLast((marks) => marks !== undefined);
}

function marksIn(options: ProviderOptions = {}): ProviderOptions | undefined {
  const marks = Object.entries(options).flatMap(([provider, given]) => {
    const own = Object.entries(given).filter(([name]) => markNames.has(name));
    return own.length === 0 ? [] : [[provider, Object.fromEntries(own)] as const];
  });
  return marks.length === 0 ? undefined : Object.fromEntries(marks);
}

function marked(message: AiSdkMessage, mark: unknown): AiSdkMessage {
  return { ...message, providerOptions: mark as ProviderOptions };
}

function saidIn(message: AiSdkMessage): ReceivedMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', parts: [{ type: 'text', text: message.content }] };
    case 'user':
      return { role: 'user', parts: message.content.map(userPart) };
    case 'assistant':
      return {
        ...{ role: 'assistant', parts: message.content.flatMap(replyPart) },
        ...thinkingPlace(message.content.map(isThinking)),
      };
    case 'tool':
      return { role: 'user', parts: message.content.flatMap(toolPart) };
  }
}

function userPart(part: AiSdkUserPart): ReceivedPart {
  return part.type === 'text' ? { type: 'text', text: part.text } : filePart(part);
}

/**
 * Ignores files made by the model, as in its answer. Calls and results of tools that the provider ran become reasoning:
 * they count towards the size, and no result can be separated from its call.
 */
function replyPart(part: AiSdkReplyPart): ReceivedPart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text }];
    case 'tool-call': {
      const { toolCallId: callId, toolName: name, input } = part;
      return [
        part.providerExecuted ? ranByProvider(name, inputText(input)) : { type: 'tool_call', callId, name, input },
      ];
    }
    case 'tool-result':
      return [ranByProvider(part.toolName, receivedResult(part).text)];
    default:
      return [];
  }
}

export function ranByProvider(name: string, text: string): ReceivedPart & { readonly type: 'reasoning' } {
  return { type: 'reasoning', text: `${name} ${text}` };
}

function toolPart(part: AiSdkToolPart): ReceivedPart[] {
  return part.type === 'tool-result' ? [receivedResult(part)] : [];
}

function alteredMessage(message: AiSdkMessage, alteration: Alteration): AiSdkMessage[] {
  if (message.role === 'tool') return alteredResults(message, alteration);
  return alteration.keepsRest ? [message] : remainingMessages(message, alteration.remaining);
}

function isThinking({ type }: AiSdkReplyPart): boolean {
  return type === 'reasoning';
}

function withoutThinking(message: AiSdkMessage): AiSdkMessage[] {
  if (message.role !== 'assistant') return [message];
  const content = message.content.filter((part) => !isThinking(part));
  return content.length === 0 ? [] : [{ ...message, content }];
}

/** Keeps approvals only if a result remains. */
function alteredResults(message: AiSdkToolMessage, { results }: Alteration): AiSdkMessage[] {
  const content = message.content.flatMap((part): AiSdkToolPart[] =>
    part.type === 'tool-result' ? resultWithFate(part, results.get(part.toolCallId)) : [part],
  );
  return content.some(({ type }) => type === 'tool-result') ? [{ ...message, content }] : [];
}

function madeMessage({ role, parts }: ContextMessage): AiSdkMessage {
  const text = textOf(parts);
  if (role === 'system') return { role, content: text };
  return { role: role === 'assistant' ? role : 'user', content: [{ type: 'text', text }] };
}
