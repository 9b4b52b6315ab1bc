import { anthropicMessagesProtocol } from './anthropic-messages';
import { openAiChatProtocol } from './openai-chat';
import { openAiResponsesProtocol } from './openai-responses';
import type { WireProtocol } from './protocol';

export const protocols: readonly WireProtocol[] = [
  openAiChatProtocol,
  openAiResponsesProtocol,
  anthropicMessagesProtocol,
];

/** How a POST to this path (without a query) is spoken; null where it asks for no reply of a model. */
export function protocolOf(path: string): WireProtocol | null {
  return protocols.find((protocol) => protocol.matches(path)) ?? null;
}
