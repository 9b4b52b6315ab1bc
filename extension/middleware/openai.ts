import type { Context, ContextMessage } from '../engine/conversation/context';
import { type ImagePart, inputText, textOf, toolCalls, toolResults } from '../engine/conversation/entry';
import { paired } from './paired';

/** Messages of OpenAI's Chat Completions, as far as a context has them. */
export type OpenAiMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | OpenAiContent[] }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAiToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export type OpenAiContent = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface OpenAiToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A tool message takes no picture, so pictures of results follow as a user message after the last of the results. */
export function contextAsOpenAi({ messages }: Pick<Context, 'messages'>): OpenAiMessage[] {
  const converted: OpenAiMessage[] = [];
  let resultImages: OpenAiContent[] = [];
  const flush = () => {
    if (resultImages.length > 0) converted.push({ role: 'user', content: resultImages });
    resultImages = [];
  };
  for (const message of paired(messages)) {
    if (message.role !== 'tool') flush();
    converted.push(...convert(message));
    if (message.role === 'tool') resultImages.push(...imagesOf(message));
  }
  flush();
  return converted;
}

function convert(message: ContextMessage): OpenAiMessage[] {
  switch (message.role) {
    case 'system':
      return systemMessages(textOf(message.parts));
    case 'user':
      return [{ role: 'user', content: userContent(message) }];
    case 'assistant':
      return [assistantMessage(message)];
    case 'tool':
      return toolResults(message.parts).map(({ callId, text }) => ({
        role: 'tool',
        tool_call_id: callId,
        content: text,
      }));
  }
}

/** Tool definitions go beside the messages; where there is nothing else, there is no message. */
function systemMessages(content: string): OpenAiMessage[] {
  return content === '' ? [] : [{ role: 'system', content }];
}

function userContent(message: ContextMessage): string | OpenAiContent[] {
  const text = textOf(message.parts);
  const images = imagesOf(message);
  if (images.length === 0) return text;
  return text === '' ? images : [{ type: 'text', text }, ...images];
}

function imagesOf({ parts }: ContextMessage): OpenAiContent[] {
  return parts.filter((part): part is ImagePart => part.type === 'image').map(imageContent);
}

function imageContent({ mediaType, data }: ImagePart): OpenAiContent {
  if (data === null) return { type: 'text', text: `[${mediaType} that the session file does not hold]` };
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}

function assistantMessage({ parts }: ContextMessage): OpenAiMessage {
  const text = textOf(parts);
  const calls = toolCalls(parts).map(({ callId, name, input }) => ({
    id: callId,
    type: 'function' as const,
    function: { name, arguments: inputText(input) },
  }));
  if (calls.length === 0) return { role: 'assistant', content: text };
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls };
}
