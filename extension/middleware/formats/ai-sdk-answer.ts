import type { Usage } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import { ranByProvider } from './ai-sdk';
import type { AiSdkResult, AiSdkStreamPart } from './ai-sdk-message';
import { jsonText } from './ai-sdk-results';
import { callInput } from './call-input';

/** The pieces of an answer that was not streamed. */
export function answerPieces({ content, usage }: Pick<AiSdkResult, 'content' | 'usage'>): ChatPiece[] {
  return [...content.flatMap(contentPieces), ...usagePieces(usage)];
}

/** The pieces of one part of a stream. */
export function streamedPieces(part: AiSdkStreamPart): ChatPiece[] {
  switch (part.type) {
    case 'text-delta':
      return [{ type: 'text', text: part.delta }];
    case 'reasoning-delta':
      return [{ type: 'reasoning', text: part.delta }];
    case 'tool-call':
    case 'tool-result':
      return contentPieces(part);
    case 'finish':
      return usagePieces(part.usage);
    default:
      return [];
  }
}

function contentPieces(part: AiSdkResult['content'][number]): ChatPiece[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text }];
    case 'tool-call': {
      const { toolCallId: callId, toolName: name, input } = part;
      if (part.providerExecuted) return [ranByProvider(name, input)];
      return [{ type: 'tool_call', callId, name, input: callInput(input) }];
    }
    case 'tool-result':
      return part.preliminary ? [] : [ranByProvider(part.toolName, jsonText(part.result))];
    default:
      return [];
  }
}

function usagePieces(usage: AiSdkResult['usage']): ChatPiece[] {
  const known = usageOf(usage);
  return known === null ? [] : [{ type: 'usage', usage: known }];
}

/** Null if the provider reported none. */
function usageOf(reported: AiSdkResult['usage'] | UsageOfVersion5): Usage | null {
  if (isOfVersion5(reported)) return usageOfVersion5(reported);
  const { inputTokens, outputTokens } = reported;
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  const { total, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const input = inputTokens.noCache ?? Math.max(0, total - cacheRead - cacheWrite);
  return { input, output: outputTokens.total, cacheRead, cacheWrite };
}

/** Usage in version 5 of the AI SDK. */
interface UsageOfVersion5 {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly cachedInputTokens?: number | undefined;
}

function isOfVersion5(usage: AiSdkResult['usage'] | UsageOfVersion5): usage is UsageOfVersion5 {
  return typeof usage.inputTokens !== 'object';
}

function usageOfVersion5({ inputTokens, outputTokens, cachedInputTokens = 0 }: UsageOfVersion5): Usage | null {
  if (inputTokens === undefined || outputTokens === undefined) return null;
  return { input: inputTokens - cachedInputTokens, output: outputTokens, cacheRead: cachedInputTokens, cacheWrite: 0 };
}

/** Whether the provider says that the answer failed. In version 5 of the AI SDK the reason is a text. */
export function isFailed(finishReason: AiSdkResult['finishReason'] | string): boolean {
  return (typeof finishReason === 'string' ? finishReason : finishReason.unified) === 'error';
}
