import type { BaseMessage } from '@langchain/core/messages';
import type { Usage } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import { saidIn, speakerOf } from './langchain';

/** The result of a model call: a reply, or messages with a structured response. */
type LangchainAnswer = BaseMessage | { readonly messages: readonly BaseMessage[] };

export function answerPieces(answer: LangchainAnswer): ChatPiece[] {
  const messages = 'messages' in answer ? answer.messages : [answer];
  const reply = messages.find((message) => speakerOf(message) === 'ai');
  if (reply === undefined) return [];
  const spoken = saidIn(reply).parts.filter(
    (part) => part.type === 'text' || part.type === 'reasoning' || part.type === 'tool_call',
  );
  const usage = usageOf(reply as ReportedUsage);
  return usage === null ? spoken : [...spoken, { type: 'usage', usage }];
}

interface ReportedUsage {
  readonly usage_metadata?: {
    /** Includes tokens read from and written to the cache. */
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly input_token_details?: { readonly cache_read?: number; readonly cache_creation?: number };
  };
}

function usageOf({ usage_metadata: reported }: ReportedUsage): Usage | null {
  if (reported === undefined) return null;
  const { cache_read: cacheRead = 0, cache_creation: cacheWrite = 0 } = reported.input_token_details ?? {};
  const input = Math.max(0, reported.input_tokens - cacheRead - cacheWrite);
  return { input, output: reported.output_tokens, cacheRead, cacheWrite };
}
