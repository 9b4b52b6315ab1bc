/**
 * A middleware for agents of LangChain and deep agents. Needs the packages `langchain`, with `@langchain/core`,
 * `@langchain/langgraph` and `zod`, which come with it.
 *
 * @module strata-context/langchain
 */

import type { BaseMessage } from '@langchain/core/messages';
import type { Command } from '@langchain/langgraph';
import { type AIMessage, createMiddleware } from 'langchain';
import { neverAborted } from '../conversations/never-aborted';
import { type LanggraphClient, langgraphStore, lastingStore } from '../conversations/stores/langgraph-store';
import { storeShelf } from '../conversations/stores/store-shelf';
import { answerPieces, isClearedByEditing, langchainFormat } from '../middleware/formats/langchain';
import type { RequestIdentity } from '../middleware/requests/recording';
import { hasJournals, middlewareName, type StateCall, StateJournals, stateSchemaOf } from './agent-state';
import { type IdentityOptions, identityOf } from './call-identity';
import { checkAdapterOptions } from './check-options';
import type { Conversations } from './conversations';
import { areConversations, type GivenConversations } from './conversations-of';
import type { ConversationsOptions } from './conversations-options';
import { afterFailure, FrameworkCalls, type RewrittenCall, sentUntilItFits } from './framework-call';
import {
  callInfo,
  checkpointedPlace,
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

export {
  type CheckpointedAgent,
  type CheckpointedGraph,
  type ThreadConfig,
  type ThreadContextOptions,
  ThreadNotWritten,
  threadContext,
} from './thread-context';

/** Options of the middleware, besides those of conversations. */
export interface StrataMiddlewareOptions extends IdentityOptions<LangchainCallInfo> {
  /** The name of the middleware. Default: `StrataMiddleware`. An agent takes only one middleware of each name. */
  readonly name?: string;
}

/**
 * A middleware for agents of LangChain and deep agents: it records each conversation, compacts it when needed, and sends the
 * model its context. The agent's state keeps the whole history. Each sub-agent's work is a conversation of its own. A
 * sub-agent needs the middleware in its own list, which may be the same object; so does the general-purpose one of deep agents.
 *
 * If the agent has a store (`createAgent({ store })`) and no `shelf` is named, conversations are kept in it, each by
 * its thread, with their pins, compactions and undos, for every process that uses this store. If it has only a
 * checkpointer, pins, compactions and undos are in the agent's own state, and a fork has those of its checkpoint: see
 * `threadContext`.
 *
 * In `createDeepAgent` it works beside deep agents' own summarization, which runs first: it summarises by the size of
 * the whole history, or when the provider refuses a request as too long. The live prompt then goes after the summary,
 * verbatim. In the list of `createAgent` Strata goes before `contextEditingMiddleware` and before a caching middleware.
 * If the provider shortens the context itself (`contextManagement`, `truncation`), Strata compacts nothing and calls
 * `onNotice`.
 *
 * @example
 * const agent = createDeepAgent({ model, tools, middleware: [strataMiddleware({ window: 200_000 })] });
 */
export function strataMiddleware(
  given: Conversations | ConversationsOptions,
  options: StrataMiddlewareOptions = {},
): LangchainMiddleware {
  checkAdapterOptions('langchain', options);
  const { name = middlewareName, ...identity } = options;
  const { placeOf, stateSchema } = placesOf(given, name, identity);
  return createMiddleware({
    name,
    ...(stateSchema ? { stateSchema } : {}),
    wrapModelCall: (request, handler) => called(placeOf(request), request, handler),
  }) as unknown as LangchainMiddleware;
}

/** Where the conversation of a call is stored, and its identity. */
interface PlacedCall {
  readonly calls: FrameworkCalls;
  readonly identity: () => RequestIdentity;
  /** Null if its journal is not in the agent's own state. */
  readonly state: StateCall | null;
  /** A message for the developer, given once. */
  readonly advice?: string;
}

type Identifying = IdentityOptions<LangchainCallInfo>;

interface Places {
  readonly placeOf: (request: ModelRequest) => PlacedCall;
  readonly stateSchema?: ReturnType<typeof stateSchemaOf>;
}

/** Without a shelf among the options, conversations are stored in the agent's store, or in the state that its checkpointer stores. */
function placesOf(given: GivenConversations, name: string, options: Identifying): Places {
  const own = new FrameworkCalls(given);
  const identity = (request: ModelRequest) => () => identityOf(options, callInfo(request));
  const inMemory = (request: ModelRequest) => ({ calls: own, identity: identity(request), state: null });
  if (areConversations(given) || given.shelf !== undefined) return { placeOf: inMemory };
  const stored = callsByStore(given);
  const journals = new StateJournals(name);
  const checkpointed = new FrameworkCalls({ ...given, shelf: journals.branches.shelf });
  const placeOf = (request: ModelRequest): PlacedCall => {
    const client = lastingStore((request.runtime as { readonly store?: unknown }).store);
    const inThread = () => identityOf({ ...byThread, ...options }, callInfo(request));
    if (client !== null) {
      const advice = hasJournals(name, request.state) ? { advice: leftIn(callInfo(request)) } : {};
      return { calls: stored(client), identity: inThread, state: null, ...advice };
    }
    const place = checkpointedPlace(request);
    if (place === null || !isOfThread(options, callInfo(request))) return inMemory(request);
    return { calls: checkpointed, identity: identity(request), state: journals.call(place, request.state) };
  };
  return { placeOf, stateSchema: stateSchemaOf(name) };
}

/** False also if the option throws; recording the call reports that. */
function isOfThread({ conversation }: Identifying, call: LangchainCallInfo): boolean {
  try {
    const key = conversation?.(call);
    return key === undefined || key === call.threadId;
  } catch {
    return false;
  }
}

function leftIn({ threadId }: LangchainCallInfo): string {
  return `The thread ${threadId} has pins or compactions in its checkpoints, from when its agent had no store. They are not used: pin again what is to stay.`;
}

const byThread: Identifying = { conversation: ({ threadId }) => threadId };

/** The calls of each store. */
function callsByStore(given: ConversationsOptions): (client: LanggraphClient) => FrameworkCalls {
  const known = new WeakMap<object, FrameworkCalls>();
  return (client) => {
    const calls = known.get(client) ?? new FrameworkCalls({ ...given, shelf: storeShelf(langgraphStore({ client })) });
    known.set(client, calls);
    return calls;
  };
}

const editedBefore =
  'LangChain’s contextEditingMiddleware clears messages before Strata sees them. Put strataMiddleware before it in the list.';

function called(place: PlacedCall, given: ModelRequest, handler: ModelHandler): Promise<AIMessage | Command> {
  const request = withLivePrompt(given);
  return sentUntilItFits(
    () => recordedCall(place, request),
    (recorded) => answered(place, request, handler, recorded),
  );
}

function recordedCall(
  { calls, identity, state, advice }: PlacedCall,
  request: ModelRequest,
): Promise<RewrittenCall<BaseMessage>> {
  const signal = request.runtime.signal ?? neverAborted();
  return calls.record(signal, () => ({
    groups: langchainFormat.groupsOf(messagesOf(request)),
    tools: toolsOf(request),
    model: modelName(request.model),
    providerSide: providerSideOf(request),
    identity: identity(),
    ...(state ? { recorder: (conversations: Conversations) => state.recorder(conversations) } : {}),
    advice: [
      ...(advice === undefined ? [] : [advice]),
      ...(request.messages.some(isClearedByEditing) ? [editedBefore] : []),
    ],
  }));
}

async function answered(
  { state }: PlacedCall,
  request: ModelRequest,
  handler: ModelHandler,
  { changed, answer }: RewrittenCall<BaseMessage>,
): Promise<AIMessage | Command> {
  try {
    const response = await handler(changed === null ? request : requestWith(request, changed));
    answer.add(answerPieces(response));
    await answer.end('answered');
    return state ? state.answered(response) : response;
  } catch (error) {
    throw await afterFailure(error, answer);
  }
}
