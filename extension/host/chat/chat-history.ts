import type { ChatPromptReference } from 'vscode';
import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';

/** The position of a chat in a conversation of Strata: after this entry. Stored in the metadata of every answer. */
export interface ChatPlace {
  readonly conversation: string;
  /** Null: before the first entry. */
  readonly leaf: string | null;
}

/** One request and its answer as VS Code has them. */
export interface PastTurn {
  readonly prompt: string;
  /** A slash command, which is not a message of the conversation. */
  readonly command: string | undefined;
  /** The attachments of the request that VS Code still has. */
  readonly references: readonly ChatPromptReference[];
  /** The displayed answer as text. */
  readonly answer: string;
  readonly place: ChatPlace | null;
}

/** The position that a chat's history leads to, and the later turns without a position: they were cancelled or cut short. */
export interface Trail {
  readonly place: ChatPlace | null;
  readonly since: readonly PastTurn[];
}

export function trailOf(history: readonly PastTurn[]): Trail {
  const newest = history.findLastIndex(({ place }) => place !== null);
  const since = history.slice(newest + 1).filter(({ command }) => command === undefined);
  return { place: history[newest]?.place ?? null, since };
}

type Continuation =
  /** The chat continues after this entry. */
  | { readonly kind: 'found'; readonly leaf: string | null }
  /** VS Code shows turns that the conversation does not have; they would follow `leaf`. */
  | { readonly kind: 'missing'; readonly leaf: string | null; readonly turns: readonly PastTurn[] }
  /** The entry that VS Code remembers is not in the conversation. */
  | { readonly kind: 'lost' };

/** Follows a trail through the conversation as it is on disk. */
export function continuationOf({ entries, agentContext }: Conversation, { place, since }: Trail): Continuation {
  const leaf = place?.leaf ?? null;
  if (leaf !== null && !entries.some(({ id }) => id === leaf)) return { kind: 'lost' };
  const path = agentContext.filter(({ role }) => role !== 'system');
  let at = leaf === null ? -1 : path.findIndex(({ id }) => id === leaf);
  // The person went back: messages that VS Code dropped from its history are a separate branch now.
  if (leaf !== null && at === -1) return since.length === 0 ? { kind: 'found', leaf } : missing(leaf, since);
  for (const [index, turn] of since.entries()) {
    const end = endOfTurn(path, at + 1, turn.prompt);
    if (end === null) return missing(path[at]?.id ?? null, since.slice(index));
    at = end;
  }
  return { kind: 'found', leaf: path[at]?.id ?? null };
}

function missing(leaf: string | null, turns: readonly PastTurn[]): Continuation {
  return { kind: 'missing', leaf, turns };
}

/** Index of the last entry of the turn that this prompt opens at `start`; null if there is another message. */
function endOfTurn(path: readonly Entry[], start: number, prompt: string): number | null {
  const opener = path[start];
  if (opener?.role !== 'user' || promptOf(opener) !== prompt) return null;
  const next = path.findIndex(({ role, injected }, index) => index > start && role === 'user' && !injected);
  return next === -1 ? path.length - 1 : next - 1;
}

/** The typed message. Attachments follow in a separate entry. */
function promptOf({ parts }: Pick<Entry, 'parts'>): string {
  const [first] = parts;
  return first?.type === 'text' ? first.text : '';
}
