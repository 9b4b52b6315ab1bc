import type { Entry } from '../../engine/conversation/entry';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import type { IncomingRequest } from '../../middleware/requests/recording';

/** A conversation with the same first entry as the request. */
export interface KnownConversation {
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
  readonly hasReply: boolean;
  /** Number of entries at the start of a request that it contains. */
  readonly prefixOf: (entries: readonly UnplacedEntry[]) => number;
  /** The entries of its present path, without those of branches that were left. */
  readonly path: readonly Pick<Entry, 'id' | 'role'>[];
  /** A model is answering in it now. */
  readonly isAnswering: boolean;
}

type Continuation =
  | { readonly kind: 'new' }
  /** Number of entries at the start of the request that it contains. */
  | { readonly kind: 'continues'; readonly id: string; readonly known: number };

/**
 * The conversation that a request continues. A request without a reply begins a new one, unless the newest conversation
 * with this beginning still waits for its reply: then the request is sent a second time. Otherwise it is the one with
 * the longest known beginning; if several are equally long, the newest. With `goesBack`, a request without the newest messages of a
 * conversation goes back in it; otherwise it is another agent's, and gets a conversation of its own.
 */
export function continuationOf(
  entries: readonly UnplacedEntry[],
  known: readonly KnownConversation[],
  goesBack: boolean,
): Continuation {
  const newestFirst = [...known].sort(byAge);
  const possible = hasReply(entries) ? newestFirst : newestFirst.slice(0, 1).filter(isUnanswered);
  const candidates = goesBack ? possible : possible.filter(({ path }) => !hasParted(entries, path));
  // Many clients begin every chat with the same instructions, so all messages before the first reply must be the same.
  const least = Math.max(
    1,
    entries.findIndex(({ role }) => role === 'assistant'),
  );
  let best: Continuation = { kind: 'new' };
  for (const candidate of candidates) {
    const length = candidate.prefixOf(entries);
    if (length >= least && length > (best.kind === 'new' ? 0 : best.known))
      best = { kind: 'continues', id: candidate.id, known: length };
  }
  return best;
}

/**
 * Whether a conversation continued differently from a request. An answer at its end proves nothing: the agent may have
 * received only a part of it, or changed it.
 */
export function hasParted(
  entries: readonly Pick<UnplacedEntry, 'id'>[],
  path: readonly Pick<Entry, 'id' | 'role'>[],
): boolean {
  const differs = path.findIndex(({ id }, index) => id !== entries[index]?.id);
  return differs !== -1 && path.slice(differs).some(({ role }) => role !== 'assistant');
}

/** The newest first. */
export function byAge(a: { readonly created: string }, b: { readonly created: string }): number {
  return a.created < b.created ? 1 : a.created > b.created ? -1 : 0;
}

/** Whether a conversation contains all replies of a request, so that no older one can contain more of it. */
export function knowsReplies(
  entries: readonly UnplacedEntry[],
  { prefixOf }: Pick<KnownConversation, 'prefixOf'>,
): boolean {
  return prefixOf(entries) > entries.findLastIndex(({ role }) => role === 'assistant');
}

export function hasReply(entries: readonly Pick<Entry, 'role'>[]): boolean {
  return entries.some(({ role }) => role === 'assistant');
}

function isUnanswered({ hasReply, isAnswering }: KnownConversation): boolean {
  return !isAnswering && !hasReply;
}

/**
 * A question that is asked once, as agents ask for a title: no tools, and nothing answered yet. If it is continued after all, the
 * next request has all of it, and is recorded.
 */
export function isOneOff({ received, tools }: Pick<IncomingRequest, 'received' | 'tools'>): boolean {
  return tools === null && !hasReply(received.entries);
}
