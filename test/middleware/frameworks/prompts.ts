import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { toolCalls } from '../../../extension/engine/conversation/entry';
import type { AiSdkMessage, AiSdkToolResult } from '../../../extension/middleware/formats/ai-sdk-message';
import type { ReceivedMessage, ReceivedPart, ReceivedResult } from '../../../extension/middleware/recognition/received';

/** Histories as the AI SDK and LangChain write them. */

type Fields = Readonly<Record<string, unknown>>;

export const cacheMark = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Signed thinking precedes all other content of a reply. */
export const signature = { anthropic: { signature: 'c2lnbmVk' } };

export function asAiSdk({ role, parts }: ReceivedMessage): AiSdkMessage[] {
  const text = textOf(parts);
  if (role === 'system') return [{ role, content: text, providerOptions: cacheMark }];
  if (role === 'assistant') return [{ role, content: [...thoughtsFor(parts), ...spoken(text), ...callsIn(parts)] }];
  const results = resultsIn(parts);
  const said: AiSdkMessage = { role: 'user', content: spoken(text), providerOptions: cacheMark };
  if (results.length === 0) return [said];
  const returned: AiSdkMessage = { role: 'tool', content: results.map(asAiSdkResult) };
  return text === '' ? [returned] : [returned, said];
}

function thoughtsFor(parts: readonly ReceivedPart[]) {
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  return [...thoughts, 'Hm.'].map((text) => ({ type: 'reasoning', text, providerOptions: signature }) as const);
}

function spoken(text: string) {
  return text === '' ? [] : [{ type: 'text', text } as const];
}

function callsIn(parts: readonly ReceivedPart[]) {
  return toolCalls(parts.filter((part) => part.type === 'tool_call')).map(
    ({ callId, name, input }) => ({ type: 'tool-call', toolCallId: callId, toolName: name, input }) as const,
  );
}

function asAiSdkResult({ callId, text, images }: ReceivedResult): AiSdkToolResult {
  const files = images.map(
    ({ mediaType, data }) => ({ type: 'file', mediaType, data: { type: 'data', data: data ?? '' } }) as const,
  );
  const output: AiSdkToolResult['output'] =
    files.length === 0 ? { type: 'text', value: text } : { type: 'content', value: [{ type: 'text', text }, ...files] };
  return { type: 'tool-result', toolCallId: callId, toolName: 'read', output, providerOptions: cacheMark };
}

export function asLangchain({ role, parts }: ReceivedMessage): BaseMessage[] {
  const text = textOf(parts);
  if (role === 'system') return [new SystemMessage(text)];
  if (role === 'assistant') return [asAiMessage(text, parts)];
  const results = resultsIn(parts).map(asToolMessage);
  return results.length > 0 && text === '' ? results : [...results, new HumanMessage(text)];
}

function asAiMessage(text: string, parts: readonly ReceivedPart[]): AIMessage {
  const tool_calls = toolCalls(parts.filter((part) => part.type === 'tool_call')).map(({ callId, name, input }) => ({
    type: 'tool_call' as const,
    id: callId,
    name,
    args: input as Record<string, unknown>,
  }));
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
  return new AIMessage({ content: [thought, ...(text === '' ? [] : [{ type: 'text', text }])], tool_calls });
}

function asToolMessage({ callId, text, images }: ReceivedResult): ToolMessage {
  const pictures = images.map(({ mediaType, data }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  const content = pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures];
  return new ToolMessage({ content, tool_call_id: callId, name: 'read', artifact: { rows: 3 } });
}

function textOf(parts: readonly ReceivedPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function resultsIn(parts: readonly ReceivedPart[]): ReceivedResult[] {
  return parts.filter((part) => part.type === 'tool_result');
}

/** The ids of calls and results, in the order in which they are sent. */
export interface Pairing {
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

export function pairingOfAiSdk(message: AiSdkMessage): Pairing {
  if (typeof message.content === 'string') return { calls: [], results: [] };
  const parts: readonly Fields[] = message.content as unknown as readonly Fields[];
  const idsOf = (type: string) =>
    parts.filter((part) => part.type === type).map(({ toolCallId }) => String(toolCallId));
  return { calls: idsOf('tool-call'), results: idsOf('tool-result') };
}

export function pairingOfLangchain(message: BaseMessage): Pairing {
  if (message instanceof ToolMessage) return { calls: [], results: [message.tool_call_id] };
  const calls = message instanceof AIMessage ? (message.tool_calls ?? []).map(({ id = '' }) => id) : [];
  return { calls, results: [] };
}
