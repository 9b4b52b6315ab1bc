import type { SentMessage } from '../engine/conversation/projection';
import type { CallLimits } from './call-names';
import { type Exchange, exchangesOf } from './exchanges';
import { isPdf, notSent, type Picture } from './pictures';

/** Messages of OpenAI's Chat Completions, with the fields that a context determines. */
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

/** Source: https://platform.openai.com/docs/api-reference/chat/create, and its error messages for the length of ids. */
const limits: CallLimits = { idLength: 40, nameLength: 64, notInId: null };

export function contextAsOpenAi({ messages }: { readonly messages: readonly SentMessage[] }): OpenAiMessage[] {
  return exchangesOf(messages, limits).flatMap(convert);
}

function convert(exchange: Exchange): OpenAiMessage[] {
  switch (exchange.role) {
    case 'system':
      return [{ role: 'system', content: exchange.text }];
    case 'user':
      return [{ role: 'user', content: userContent(exchange.texts, exchange.pictures) }];
    case 'assistant':
      return [assistantMessage(exchange)];
    case 'results':
      return resultMessages(exchange);
  }
}

/** A tool message cannot contain pictures, so pictures of results follow in a user message after the last result. */
function resultMessages({ results }: Extract<Exchange, { role: 'results' }>): OpenAiMessage[] {
  const pictures = results.flatMap((result) => result.pictures);
  return [
    ...results.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: text }) as const),
    ...(pictures.length === 0 ? [] : [{ role: 'user', content: pictures.map(pictureContent) } as const]),
  ];
}

function userContent(texts: readonly string[], pictures: readonly Picture[]): string | OpenAiContent[] {
  const text = texts.join('\n');
  if (pictures.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...pictures.map(pictureContent)];
}

function pictureContent(picture: Picture): OpenAiContent {
  if (picture.kind === 'text') return { type: 'text', text: picture.text };
  if (isPdf(picture)) return { type: 'text', text: notSent(picture.mediaType) };
  return { type: 'image_url', image_url: { url: `data:${picture.mediaType};base64,${picture.data}` } };
}

function assistantMessage({ texts, calls }: Extract<Exchange, { role: 'assistant' }>): OpenAiMessage {
  const text = texts.join('\n');
  if (calls.length === 0) return { role: 'assistant', content: text };
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: 'assistant', content: text === '' ? null : text, tool_calls };
}
