import { type Author, type Piece, piecesIn } from '../../sessions/injected/pieces';
import { claudeCodeInterruption } from '../../sessions/injected/whole-texts';
import type { ReceivedMessage, UnplacedEntry } from './received';

/** Facts besides the texts of a user message that determine their author. */
export interface Authorship {
  /** True until the first reply of a model. */
  readonly isBeginning: boolean;
  /** Unmarked texts are the client's. */
  readonly isClients: boolean;
}

/** Authors for whom a message gets an entry, in the order of the entries. */
export const authors = ['standing', 'summary', 'person', 'passing'] as const satisfies readonly Author[];

export type EntryAuthor = (typeof authors)[number];

/**
 * Text beside tool results in one message mostly comes from the client; after an interruption it is what the person
 * said.
 */
export function authorshipOf({ parts }: ReceivedMessage, isBeginning: boolean): Authorship {
  const hasResults = parts.some(({ type }) => type === 'tool_result');
  const isInterrupted = parts.some((part) => part.type === 'text' && claudeCodeInterruption.test(part.text));
  return { isBeginning, isClients: hasResults && !isInterrupted };
}

/** Splits a text by author. Pieces by `frame` are in no entry. */
export function authoredPieces(text: string, { isBeginning, isClients }: Authorship): Piece[] {
  const pieces = piecesIn(text, isBeginning);
  if (!isClients || pieces.some(saysWhoSpeaks)) return pieces;
  return pieces.map((piece) => (piece.author === 'person' ? { ...piece, author: 'passing' } : piece));
}

/** Whether the agent marks the person's words: with tags around them, or inside a reminder. */
function saysWhoSpeaks({ author, text }: Piece): boolean {
  return author === 'frame' || (author === 'person' && /^\s*<system-reminder>/.test(text));
}

export function authorOf({ standing, summary, injected }: UnplacedEntry): EntryAuthor {
  if (standing) return 'standing';
  if (summary) return 'summary';
  return injected ? 'passing' : 'person';
}

/** The author flags of an entry of the role `user`. */
export function marksOf(author: EntryAuthor): Pick<UnplacedEntry, 'injected' | 'standing' | 'summary'> {
  if (author === 'person') return {};
  return { injected: true, ...(author === 'passing' ? {} : { [author]: true }) };
}

/** The parts of a message besides its results. */
export interface Remainder {
  /** The part of a text that remains; empty if none. */
  textIn(text: string): string;
  /** Whether images and other parts without text remain. */
  readonly others: boolean;
}

/** Reduces a message of the role `user` to the pieces by these authors. */
export function remainderOf(kept: ReadonlySet<Author>, authorship: Authorship): Remainder {
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
