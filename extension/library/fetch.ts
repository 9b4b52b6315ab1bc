/**
 * A `fetch` for the clients of OpenAI and Anthropic, and for everything else that speaks to them over HTTP: what goes
 * through it is compacted when it has to be.
 *
 * @module strata-context/fetch
 */
import { FollowedBodies } from '../middleware/wire/followed-bodies';
import { conversationHeader, requestHeaders } from '../middleware/wire/headers';
import { notifyOnce } from '../middleware/wire/notices';
import type { PassingRequest, RelayParts } from '../middleware/wire/passing-request';
import { protocolOf } from '../middleware/wire/protocols';
import { relay } from '../middleware/wire/relay';
import { type IdentityOptions, identityOf, ScopeMissing } from './call-identity';
import { checkAdapterOptions, checkConversationsOptions } from './check-options';
import { Conversations, createConversations } from './conversations';
import type { ConversationsOptions } from './conversations-options';
import { type Asked, asked, bytesOf } from './fetch-request';

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
 * A `fetch` that keeps each conversation and compacts it before it outgrows the model's window. Requests of OpenAI Chat
 * Completions, OpenAI Responses and Anthropic Messages go out with blocks in the places of older messages; all other
 * requests, and all answers, pass as they are. Throws `InvalidOption` for an option that is unknown or
 * has a value that it does not take. The function rejects as `fetch` does, and with `UnknownStrategy`.
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
  if (!(conversations instanceof Conversations)) checkConversationsOptions(conversations);
  const { fetch: send = globalThis.fetch, conversation = ({ threadId }) => threadId, ...more } = options;
  const parts = once(async () => partsOf(await conversationsOf(conversations)));
  return async (input, init) => {
    const request = asked(input, init);
    if (request === null || !asksForReply(request)) return await send(input, init);
    // What the caller says besides (credentials, redirections, a dispatcher) stays as it is.
    const { more: said, redirect } = request;
    const sending: typeof fetch = (url, own) => send(url, { ...said, ...own, redirect });
    const passing = await passingRequest(request);
    const relaying = { ...(await parts()), fetch: sending };
    try {
      return await relay(relaying, { ...passing, identity: identityOf({ conversation, ...more }, callInfo(request)) });
    } catch (error) {
      if (!(error instanceof ScopeMissing)) throw error;
      relaying.notify({ kind: 'failed', message: `A request was forwarded unchanged: ${error.message}` });
      const { url, method, headers, body, signal } = passing;
      return await sending(url, { method, headers: requestHeaders(headers), body, signal });
    }
  };
}

function callInfo({ url, headers }: Asked): FetchCallInfo {
  return { threadId: headers.get(conversationHeader) ?? undefined, url, headers };
}

function asksForReply({ method, url }: Asked): boolean {
  return method === 'POST' && protocolOf(url.pathname) !== null;
}

async function passingRequest({
  url,
  method,
  headers,
  signal,
  body,
}: Asked): Promise<Omit<PassingRequest, 'identity'>> {
  return { url, method, headers, signal, body: await bytesOf(body) };
}

async function conversationsOf(given: Conversations | ConversationsOptions): Promise<Conversations> {
  return given instanceof Conversations ? given : await createConversations(given);
}

function partsOf(conversations: Conversations): Omit<RelayParts, 'fetch'> {
  return {
    keep: (request) => conversations.keep(request),
    windowOf: (model) => conversations.windowOf(model),
    notify: notifyOnce(({ message }) => conversations.notify(message)),
    now: () => conversations.now(),
    followed: new FollowedBodies(),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
