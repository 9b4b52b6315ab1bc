import { anthropicMessagesProtocol } from './anthropic-messages';
import { openAiChatProtocol } from './openai-chat';
import { openAiResponsesProtocol } from './openai-responses';
import type { WireProtocol } from './protocol';

export const protocols: readonly WireProtocol[] = [
  openAiChatProtocol,
  openAiResponsesProtocol,
  anthropicMessagesProtocol,
];

/** The protocol of a POST to this path (without query); null if it does not ask for a reply. */
export function protocolOf(path: string): WireProtocol | null {
  return protocols.find((protocol) => protocol.matches(path)) ?? null;
}
