import { checkConversationsOptions } from './check-options';
import type { Conversations } from './conversations';
import type { ConversationsOptions } from './conversations-options';
import { madeConversations } from './made-conversations';

/** Adapters accept conversations, or the options to create them. */
export type GivenConversations = Conversations | ConversationsOptions;

/** Whether this is already a `Conversations`, without loading the code that makes one. */
export function areConversations(given: GivenConversations): given is Conversations {
  return madeConversations.has(given);
}

/**
 * Makes conversations from options when they are first needed, so that most of the library's code is loaded then and not when a program
 * imports its adapter. Throws `InvalidOption`.
 */
export function conversationsOf(given: GivenConversations): () => Promise<Conversations> {
  if (areConversations(given)) return async () => given;
  checkConversationsOptions(given);
  return once(async () => (await import('./conversations')).createConversations(given));
}

export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
