/**
 * A middleware for agents of LangChain and deep agents. Needs the packages `langchain` and `@langchain/core`.
 *
 * @module strata/langchain
 */
import { type AIMessage, createMiddleware } from 'langchain';
import { langchainFormat } from '../middleware/formats/langchain';
import { answerPieces } from '../middleware/formats/langchain-answer';
import type { Conversations } from './conversations';
import type { ConversationsOptions } from './conversations-options';
import { FrameworkCalls } from './framework-call';
import {
  type LangchainMiddleware,
  type ModelHandler,
  type ModelRequest,
  messagesOf,
  modelName,
  providerSideOf,
  requestWith,
  toolsOf,
} from './langchain-request';

/** Given to the middleware beside what conversations are made with. */
export interface StrataMiddlewareOptions {
  /**
   * What the middleware is called; absent: `SummarizationMiddleware`. Agents take one middleware of a name. Deep agents have
   * one of this name of their own, which summarises by the size of the whole history; Strata takes its place, also in the
   * general-purpose sub-agent.
   */
  readonly name?: string;
}

/**
 * A middleware for agents of LangChain and deep agents: it keeps each conversation, compacts it when it has to, and sends the
 * model its context. The agent's state keeps the whole history. Each sub-agent's work is a conversation of its own; one that
 * is declared in `subagents` needs the middleware in its own list, which may be the same object.
 *
 * In `createDeepAgent` it stands where the summaries were: behind what adds to the prompt, before what completes calls and sets
 * cache marks. In the list of `createAgent` it goes behind whatever changes messages and before a caching middleware.
 * LangChain's `summarizationMiddleware` beside it is refused by `createAgent`. Where `contextEditingMiddleware`, or the
 * provider by itself (`contextManagement`, `truncation`), makes the context shorter, Strata compacts nothing and `onNotice` is
 * told.
 *
 * @example
 * const agent = createDeepAgent({ model, tools, middleware: [strataMiddleware({ window: 200_000 })] });
 */
export function strataMiddleware(
  given: Conversations | ConversationsOptions,
  { name = 'SummarizationMiddleware' }: StrataMiddlewareOptions = {},
): LangchainMiddleware {
  const calls = new FrameworkCalls(given);
  return createMiddleware({ name, wrapModelCall: (request, handler) => called(calls, request, handler) });
}

async function called(calls: FrameworkCalls, request: ModelRequest, handler: ModelHandler): Promise<AIMessage> {
  const signal = request.runtime.signal ?? new AbortController().signal;
  const { changed, answer } = await calls.keep(signal, () => ({
    groups: langchainFormat.groupsOf(messagesOf(request)),
    tools: toolsOf(request),
    model: modelName(request.model),
    providerSide: providerSideOf(request),
  }));
  try {
    const response = await handler(changed === null ? request : requestWith(request, changed));
    answer.add(answerPieces(response));
    await answer.end('answered');
    return response;
  } catch (error) {
    await answer.failed();
    throw error;
  }
}
