import { type Author, type Piece, piecesIn } from '../../sessions/injected/pieces';
import { claudeCodeInterruption } from '../../sessions/injected/whole-texts';
import type { ReceivedMessage, UnplacedEntry } from './received';

/** What determines the author of the texts of a user message, besides the texts themselves. */
export interface Authorship {
  /** No model has replied yet. */
  readonly isBeginning: boolean;
  /** Texts that nothing tells of are the client's. */
  readonly isClients: boolean;
}

/** Those of whom a message has an entry, in the order of these. */
export const authors = ['standing', 'summary', 'person', 'passing'] as const satisfies readonly Author[];

export type EntryAuthor = (typeof authors)[number];

/**
 * What stands beside results in one message is mostly put there by the client. After an interruption it is what the
 * person said then.
 */
export function authorshipOf({ parts }: ReceivedMessage, isBeginning: boolean): Authorship {
  const hasResults = parts.some(({ type }) => type === 'tool_result');
  const isInterrupted = parts.some((part) => part.type === 'text' && claudeCodeInterruption.test(part.text));
  return { isBeginning, isClients: hasResults && !isInterrupted };
}

/** The pieces of a text, by whose entry they belong to. `frame` is in no entry. */
export function authoredPieces(text: string, { isBeginning, isClients }: Authorship): Piece[] {
  const pieces = piecesIn(text, isBeginning);
  if (!isClients || pieces.some(saysWhoSpeaks)) return pieces;
  return pieces.map((piece) => (piece.author === 'person' ? { ...piece, author: 'passing' } : piece));
}

/** The agent marks a person's words as such: it puts tags around them, or passes them on in a reminder. */
function saysWhoSpeaks({ author, text }: Piece): boolean {
  return author === 'frame' || (author === 'person' && /^\s*<system-reminder>/.test(text));
}

export function authorOf({ standing, summary, injected }: UnplacedEntry): EntryAuthor {
  if (standing) return 'standing';
  if (summary) return 'summary';
  return injected ? 'passing' : 'person';
}

/** The marks of an entry in the role `user`. */
export function marksOf(author: EntryAuthor): Pick<UnplacedEntry, 'injected' | 'standing' | 'summary'> {
  if (author === 'person') return {};
  return { injected: true, ...(author === 'passing' ? {} : { [author]: true }) };
}

/** What is kept of a message besides its results. */
export interface Spared {
  /** What is kept of a text; empty: nothing. */
  textIn(text: string): string;
  /** Pictures and all else that is no text. */
  readonly others: boolean;
}

/** A message of the role `user` of which the pieces by some authors stay. */
export function sparedBy(kept: ReadonlySet<Author>, authorship: Authorship): Spared {
  const tagged = kept.has('person') ? new Set<Author>([...kept, 'frame']) : kept;
  return {
    others: kept.has(authorship.isClients ? 'passing' : 'person'),
    textIn: (text) => {
      const pieces = authoredPieces(text, authorship);
      const stays = pieces.filter(({ author }) => tagged.has(author));
      return stays.length === pieces.length
        ? text
        : stays
            .map((piece) => piece.text)
            .join('')
            .trim();
    },
  };
}
