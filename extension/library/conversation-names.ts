import type { Entry } from '../engine/conversation/entry';
import { brief } from '../engine/conversation/text';

/** A conversation by the key that its agent gave it. */
export interface ConversationName {
  readonly conversation: string;
  /** The tenant that it belongs to. Absent: none. */
  readonly scope?: string | undefined;
}

/** The conversation that a context belongs to. */
export interface ContextIdentity {
  /** Unique in the store of conversations. */
  readonly id: string;
  /** The key that its agent gave it. Absent: it is recognized by its beginning. */
  readonly conversation?: string | undefined;
  readonly scope?: string | undefined;
}

export interface ConversationListing extends ContextIdentity {
  /** ISO 8601. */
  readonly created: string;
}

/** A message that contains what was searched for. */
export interface SearchHit {
  readonly id: string;
  readonly conversation?: string | undefined;
  readonly entryId: string;
  readonly role: Entry['role'];
  /** The beginning of its text from the first match on. */
  readonly text: string;
}

/** Maximum number of hits of a search. */
export const mostHits = 50;

const hitLength = 200;

export function hitsIn(entries: readonly Entry[], text: string): Pick<SearchHit, 'entryId' | 'role' | 'text'>[] {
  const wanted = text.toLowerCase();
  return entries.flatMap(({ id, role, parts }) => {
    const whole = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
    const at = whole.toLowerCase().indexOf(wanted);
    return at === -1 ? [] : [{ entryId: id, role, text: brief(whole.slice(at), hitLength) }];
  });
}
