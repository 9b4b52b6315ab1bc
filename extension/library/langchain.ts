/**
 * A middleware for agents of LangChain and deep agents. Needs the packages `langchain` and `@langchain/core`.
 *
 * @module strata-context/langchain
 */
import { type AIMessage, createMiddleware } from 'langchain';
import { langgraphStore, lastingStore } from '../conversations/stores/langgraph-store';
import { storeShelf } from '../conversations/stores/store-shelf';
import { isClearedByEditing, langchainFormat } from '../middleware/formats/langchain';
import { answerPieces } from '../middleware/formats/langchain-answer';
import { type IdentityOptions, identityOf } from './call-identity';
import { Conversations } from './conversations';
import type { ConversationsOptions } from './conversations-options';
import { FrameworkCalls } from './framework-call';
import {
  callInfo,
  type LangchainCallInfo,
  type LangchainMiddleware,
  type ModelHandler,
  type ModelRequest,
  messagesOf,
  modelName,
  providerSideOf,
  requestWith,
  toolsOf,
  withLivePrompt,
} from './langchain-request';

/** Given to the middleware beside what conversations are made with. */
export interface StrataMiddlewareOptions extends IdentityOptions<LangchainCallInfo> {
  /** What the middleware is called; absent: `StrataMiddleware`. Agents take one middleware of a name. */
  readonly name?: string;
}

/**
 * A middleware for agents of LangChain and deep agents: it keeps each conversation, compacts it when it has to, and sends the
 * model its context. The agent's state keeps the whole history. Each sub-agent's work is a conversation of its own. A
 * sub-agent needs the middleware in its own list, which may be the same object; so does the general-purpose one of deep agents.
 *
 * Where the agent has a store (`createAgent({ store })`) and no `shelf` is named, conversations are kept in it, each by its
 * thread: with their pins, compactions and undos, for every process that has this store.
 *
 * In `createDeepAgent` it stands beside deep agents' own summarization, which goes first: it summarises by the size of the whole
 * history, or when the provider refuses a request as too long. The live prompt then goes behind the summary, verbatim. In the
 * list of `createAgent` Strata goes before `contextEditingMiddleware` and before a caching middleware. Where the provider makes
 * the context shorter by itself (`contextManagement`, `truncation`), Strata compacts nothing and `onNotice` is told.
 *
 * @example
 * const agent = createDeepAgent({ model, tools, middleware: [strataMiddleware({ window: 200_000 })] });
 */
export function strataMiddleware(
  given: Conversations | ConversationsOptions,
  { name = 'StrataMiddleware', ...identity }: StrataMiddlewareOptions = {},
): LangchainMiddleware {
  const callsOf = callsByStore(given);
  return createMiddleware({
    name,
    wrapModelCall: (request, handler) => called(callsOf(request), identity, request, handler),
  });
}

/** The calls of one store, and how a conversation is named where the developer does not say. */
interface StoredCalls {
  readonly calls: FrameworkCalls;
  readonly usually: IdentityOptions<LangchainCallInfo>;
}

/** Where no shelf was named, conversations are kept in the store that the agent has. */
function callsByStore(given: Conversations | ConversationsOptions): (request: ModelRequest) => StoredCalls {
  const own: StoredCalls = { calls: new FrameworkCalls(given), usually: {} };
  if (given instanceof Conversations || given.shelf !== undefined) return () => own;
  const known = new WeakMap<object, StoredCalls>();
  return ({ runtime }) => {
    const client = lastingStore((runtime as { readonly store?: unknown }).store);
    if (client === null) return own;
    const calls = known.get(client) ?? {
      calls: new FrameworkCalls({ ...given, shelf: storeShelf(langgraphStore({ client })) }),
      usually: { conversation: ({ threadId }: LangchainCallInfo) => threadId },
    };
    known.set(client, calls);
    return calls;
  };
}

const editedBefore =
  'LangChain’s contextEditingMiddleware clears messages before Strata sees them. Put strataMiddleware before it in the list.';

async function called(
  { calls, usually }: StoredCalls,
  options: IdentityOptions<LangchainCallInfo>,
  given: ModelRequest,
  handler: ModelHandler,
): Promise<AIMessage> {
  const request = withLivePrompt(given);
  const signal = request.runtime.signal ?? new AbortController().signal;
  const { changed, answer } = await calls.keep(signal, () => ({
    groups: langchainFormat.groupsOf(messagesOf(request)),
    tools: toolsOf(request),
    model: modelName(request.model),
    providerSide: providerSideOf(request),
    identity: identityOf({ ...usually, ...options }, callInfo(request)),
    ...(request.messages.some(isClearedByEditing) ? { advice: editedBefore } : {}),
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
