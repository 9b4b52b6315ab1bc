/**
 * A middleware for models of the AI SDK. Needs the package `ai`.
 *
 * @module strata-context/ai-sdk
 */

import type { LanguageModelMiddleware } from 'ai';
import { neverAborted } from '../conversations/never-aborted';
import type { ToolDefinitionsPart } from '../engine/conversation/entry';
import { aiSdkFormat } from '../middleware/formats/ai-sdk';
import { answerPieces, isFailed, streamedPieces } from '../middleware/formats/ai-sdk-answer';
import type { AiSdkCall, AiSdkResult, AiSdkStream, AiSdkStreamPart } from '../middleware/formats/ai-sdk-message';
import { rewritten } from '../middleware/formats/format';
import type { PassingAnswer } from '../middleware/requests/passing-answer';
import { type IdentityOptions, identityOf } from './call-identity';
import { checkAdapterOptions } from './check-options';
import type { Conversations } from './conversations';
import type { ConversationsOptions } from './conversations-options';
import { afterFailure, FrameworkCalls, isSet, type ProviderSide, sentUntilItFits } from './framework-call';

/** A call of the AI SDK, for the options that name its conversation. */
export interface AiSdkCallInfo {
  /** From the call's `providerOptions: { strata: { threadId } }`. */
  readonly threadId: string | undefined;
  readonly params: AiSdkCall;
  readonly model: string;
}

/**
 * A middleware for models of the AI SDK: it records each conversation, compacts it when needed, and sends the model its context.
 * Agents and loops are used as ever, and their messages stay whole. Of several middlewares it goes last, next to the model.
 * If the provider compacts (`contextManagement`, `truncation`), Strata compacts nothing and calls `onNotice`.
 *
 * @example
 * const strata = strataMiddleware(conversations, { conversation: ({ threadId }) => threadId, scope: tenant });
 * await generateText({ model, messages, providerOptions: { strata: { threadId: chatId } } });
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware: strataMiddleware({ window: 272_000 }) });
 * const agent = new ToolLoopAgent({ model, tools });
 */
export function strataMiddleware(
  given: Conversations | ConversationsOptions,
  options: IdentityOptions<AiSdkCallInfo> = {},
): LanguageModelMiddleware {
  checkAdapterOptions('ai-sdk', options);
  const calls = new FrameworkCalls(given);
  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ params, model }) =>
      sentUntilItFits(
        () => prepared(calls, options, params, model.modelId),
        ({ sent, answer }) => generated(() => model.doGenerate(sent), answer),
      ),
    wrapStream: ({ params, model }) =>
      sentUntilItFits(
        () => prepared(calls, options, params, model.modelId),
        ({ sent, answer }) => streamed(() => model.doStream(sent), answer),
      ),
  };
}

interface PreparedCall {
  /** The same object that was passed in if nothing was changed. */
  readonly sent: AiSdkCall;
  readonly answer: PassingAnswer;
}

async function prepared(
  calls: FrameworkCalls,
  options: IdentityOptions<AiSdkCallInfo>,
  params: AiSdkCall,
  model: string,
): Promise<PreparedCall> {
  const signal = params.abortSignal ?? neverAborted();
  const { changed, answer } = await calls.record(signal, () => ({
    groups: aiSdkFormat.groupsOf(params.prompt),
    tools: toolsOf(params),
    model,
    providerSide: providerSideOf(params),
    identity: identityOf(options, { threadId: threadIdOf(params), params, model }),
  }));
  if (changed === null) return { sent: params, answer };
  return { sent: { ...params, prompt: rewritten(aiSdkFormat, changed.groups, changed.outgoing) }, answer };
}

function threadIdOf({ providerOptions = {} }: AiSdkCall): string | undefined {
  const { threadId } = providerOptions.strata ?? {};
  return typeof threadId === 'string' ? threadId : undefined;
}

function toolsOf({ tools = [] }: AiSdkCall): ToolDefinitionsPart | null {
  if (tools.length === 0) return null;
  return { type: 'tool_definitions', names: tools.map(({ name }) => name), text: JSON.stringify(tools) };
}

function providerSideOf({ providerOptions = {} }: AiSdkCall): ProviderSide {
  const set = Object.entries(providerOptions).flatMap(([provider, options]) =>
    Object.entries(options).map(([name, value]) => ({ name, value, path: `${provider}.${name}` })),
  );
  return {
    compacts: set.filter(({ name, value }) => compacts(name, value)).map(({ path }) => path),
    remembers: set.filter(({ name, value }) => remembering.has(name) && isSet(value)).map(({ path }) => path),
  };
}

function compacts(name: string, value: unknown): boolean {
  return name === 'truncation' ? value === 'auto' : name === 'contextManagement' && isSet(value);
}

const remembering: ReadonlySet<string> = new Set(['previousResponseId', 'conversation']);

async function generated(generate: () => PromiseLike<AiSdkResult>, answer: PassingAnswer): Promise<AiSdkResult> {
  try {
    const result = await generate();
    answer.add(answerPieces(result));
    await answer.end(isFailed(result.finishReason) ? 'failed' : 'answered');
    return result;
  } catch (error) {
    throw await afterFailure(error, answer);
  }
}

async function streamed<S extends { readonly stream: AiSdkStream }>(
  begin: () => PromiseLike<S>,
  answer: PassingAnswer,
): Promise<S> {
  try {
    const result = await begin();
    return { ...result, stream: watched(result.stream, answer) };
  } catch (error) {
    throw await afterFailure(error, answer);
  }
}

/** The same stream. The answer is recorded before the stream ends, because the next request may follow at once. */
function watched(stream: AiSdkStream, answer: PassingAnswer): AiSdkStream {
  const reader = stream.getReader();
  let isWhole = false;
  return new ReadableStream<AiSdkStreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          answer.add(streamedPieces(value));
          isWhole ||= value.type === 'finish' && !isFailed(value.finishReason);
          return controller.enqueue(value);
        }
        await (isWhole ? answer.end('answered') : answer.failed());
        controller.close();
      } catch (error) {
        await answer.failed();
        controller.error(error);
      }
    },
    async cancel(reason) {
      await answer.end('cancelled');
      await reader.cancel(reason);
    },
  });
}
