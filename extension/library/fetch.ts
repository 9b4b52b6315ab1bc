/**
 * A `fetch` for the clients of OpenAI and Anthropic, and for everything else that speaks to them over HTTP: conversations that
 * pass through it are compacted when needed.
 *
 * @module strata-context/fetch
 */
import { FollowedBodies } from '../middleware/wire/followed-bodies';
import { conversationHeader } from '../middleware/wire/headers';
import { notifyOnce, type RelayParts } from '../middleware/wire/relay-parts';
import { StreamedUsage } from '../middleware/wire/streamed-usage';
import { type IdentityOptions, identityOf } from './call-identity';
import { checkAdapterOptions } from './check-options';
import type { Conversations } from './conversations';
import { conversationsOf, once } from './conversations-of';
import type { ConversationsOptions } from './conversations-options';
import { type FetchRequest, readFetchCall } from './fetch-request';

export type { Conversations, ConversationsOptions };

/** A request, for the options that name its conversation. */
export interface FetchCallInfo {
  /** From the header `x-strata-conversation`, which is never sent on. */
  readonly threadId: string | undefined;
  readonly url: URL;
  readonly headers: Headers;
}

/** Without `conversation`, the header `x-strata-conversation` of a request is its key. */
export interface CompactingFetchOptions extends IdentityOptions<FetchCallInfo> {
  /** Sends the requests; absent: the global one. */
  readonly fetch?: typeof fetch;
}

/**
 * A `fetch` that records each conversation and compacts it before it outgrows the model's window. Requests of OpenAI Chat
 * Completions, OpenAI Responses and Anthropic Messages go out with blocks in the places of older messages; all other
 * requests, and all answers, pass unchanged. Throws `InvalidOption` for an option that is unknown or
 * has a value that it does not take. The function rejects as `fetch` does, and with `UnknownStrategy` and `NotCompacted`.
 *
 * @example
 * const client = new OpenAI({ fetch: compactingFetch({ window: 128_000 }) });
 *
 * @example
 * const conversations = await createConversations({ window: 200_000, pins: [{ kind: 'constraint', text: 'Never push.' }] });
 * const client = new Anthropic({ fetch: compactingFetch(conversations) });
 */
export function compactingFetch(
  conversations: Conversations | ConversationsOptions,
  options: CompactingFetchOptions = {},
): typeof fetch {
  checkAdapterOptions('fetch', options);
  const { fetch: send = globalThis.fetch, conversation = ({ threadId }) => threadId, ...more } = options;
  const opened = conversationsOf(conversations);
  const parts = once(async () => partsOf(await opened()));
  return async (input, init) => {
    const request = readFetchCall(input, init);
    if (request === null || request.method !== 'POST') return await send(input, init);
    const { asksForReply, relayed } = await import('./fetch-relay');
    if (!asksForReply(request)) return await send(input, init);
    const identity = () => identityOf({ conversation, ...more }, callInfo(request));
    return await relayed(await parts(), send, request, identity);
  };
}

function callInfo({ url, headers }: FetchRequest): FetchCallInfo {
  return { threadId: headers.get(conversationHeader) ?? undefined, url, headers };
}

function partsOf(conversations: Conversations): Omit<RelayParts, 'send'> {
  return {
    keep: (request) => conversations.keep(request),
    whenItFails: conversations.whenItFails,
    windowOf: (model) => conversations.windowOf(model),
    notify: notifyOnce(({ message }) => conversations.notify(message)),
    now: () => conversations.now(),
    followed: new FollowedBodies(),
    usage: new StreamedUsage(),
  };
}
