import type { ContextMessage } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import { type Entry, type Part, textOf } from '../../engine/conversation/entry';
import { coreKey } from '../../engine/conversation/projection';
import { withoutCoreText } from '../../engine/core/core';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import { isRecord, type JsonRecord } from '../../platform/json/schemas';
import type { Line } from '../../platform/lines/line';
import { piecesOfWhole, wholeOf } from '../injected/split-by-author';
import type { ParsedSession } from '../session';

/**
 * How new sessions of one agent are written: a copy of an original's records under a new id, followed by the records by
 * which the agent itself would compact, so that its next request holds other messages than those of the copy.
 */
export interface ForkFormat {
  /** The id of a new session, and its file in the folder where this agent looks for it. Writes nothing. */
  place(original: ParsedSession, chance: Chance): ForkPlace;
  /**
   * The lines of the new session: those of the original, with the session's own ids replaced. Throws `ForkRefused` if
   * the copy would not be what the agent had.
   */
  copy(order: CopyOrder): AsyncIterable<string>;
  /**
   * Lines after the copy that make the agent send exactly these messages, and whatever follows them. Throws `ForkRefused` if its format
   * cannot express that.
   */
  compacted(order: CompactedOrder): AsyncIterable<string>;
  /**
   * A record for the end of a session of which the agent sends nothing: the title or, if none is given, a record of Strata's own, if the
   * format allows it. Strata adds a field in which it notes what it wrote.
   */
  titled(order: TitleOrder): Promise<JsonRecord>;
  /** How a broken session is repaired. */
  readonly mends: MendRules;
  /** The compaction that a person asked for may also be appended to the session itself, while no agent has it open. */
  readonly appends?: true;
  /**
   * Whether a process of this agent runs in the session's folder: it may have the session open and continue from
   * memory. `none` is not a proof. Never rejects.
   */
  mayBeOpen?(session: Pick<ParsedSession, 'cwd'>): Promise<'running' | 'none' | 'unknown'>;
}

/** How the records of one agent are repaired, so that the agent reads all of a broken session. */
export interface MendRules {
  /** The fields with a record's id and with the id of the record before it. Absent: records follow the order of the file. */
  readonly links?: { readonly id: string; readonly parent: string };
  /** The record that every session begins with, by its type, and a new one for a session that lost it. */
  readonly beginning?: {
    readonly type: string;
    make(original: ParsedSession, next: JsonRecord, chance: Chance): JsonRecord;
  };
  /** The record with results of these calls as text of the agent, because providers refuse a result without its call. */
  asText(record: JsonRecord, strays: ReadonlyMap<string, string>): JsonRecord;
}

/** Why something cannot be written. Nothing was written. */
export class ForkRefused extends LocalizableError {
  override name = 'ForkRefused';
}

/** The source of new ids and times. */
export interface Chance {
  /** A random UUID (version 4). */
  uuid(): string;
  now(): Date;
}

export interface ForkPlace {
  readonly id: string;
  readonly file: string;
}

export interface CopyOrder {
  readonly original: ParsedSession;
  readonly place: ForkPlace;
  /** The original's lines, from the first one on; can be asked for several times. Broken lines are among them. */
  readonly lines: () => AsyncIterable<Line>;
  /** An entry with records of its own: the copy holds what was said before it, on its branch. Null: everything. */
  readonly before: Entry | null;
  readonly chance: Chance;
}

export interface CompactedOrder {
  /** The session for which the records are made, as parsed from `lines`. Entries' origins are lines of it. */
  readonly session: ParsedSession;
  readonly lines: () => AsyncIterable<Line>;
  /** The context that the agent should send, without its system prompt: see `forkPieces`. */
  readonly pieces: readonly ForkPiece[];
  /** Tokens of the context before and after, as counted by Strata. */
  readonly tokens: { readonly before: number; readonly after: number };
  readonly chance: Chance;
}

export interface TitleOrder {
  /** The session that the record is for, as parsed from `lines`. */
  readonly session: ParsedSession;
  readonly lines: () => AsyncIterable<Line>;
  /** Null for a session that keeps its title. */
  readonly title: string | null;
  readonly chance: Chance;
}

/** One message of a context, by how it is written. */
export type ForkPiece =
  /** The core or a block, which no record of the original contains. */
  | { readonly kind: 'text'; readonly role: 'user' | 'assistant'; readonly text: string }
  /** An entry as the original's records contain it. */
  | { readonly kind: 'original'; readonly entry: Entry }
  /** An entry that is sent in another form than its records have: its text was removed, or the agent synthesizes it. */
  | { readonly kind: 'edited'; readonly entry: Entry; readonly parts: Entry['parts'] };

/** A piece that repeats an entry. */
export type EntryPiece = Exclude<ForkPiece, { readonly kind: 'text' }>;

export function partsOf(piece: EntryPiece): Entry['parts'] {
  return piece.kind === 'edited' ? piece.parts : piece.entry.parts;
}

/** Providers reject empty text. */
export function hasContent(piece: ForkPiece): boolean {
  return piece.kind !== 'text' || piece.text.trim() !== '';
}

/** The lines of the records that these pieces repeat. */
export function linesOfPieces(pieces: readonly ForkPiece[]): ReadonlySet<number> {
  return new Set(pieces.flatMap((piece) => (piece.kind === 'text' ? [] : [piece.entry.origin.line])));
}

/**
 * Parts as blocks. A recorded block with the same content is used unchanged, with what a part does not have: a signature, an address.
 * @param read the part that a recorded block has
 * @param write the blocks for a part that no record has
 */
export function blocksFor(
  parts: readonly Part[],
  recorded: readonly unknown[],
  read: (block: unknown) => Part | undefined,
  write: (part: Part) => readonly JsonRecord[],
): JsonRecord[] {
  const left = recorded.filter(isRecord).map((block) => ({ block, content: JSON.stringify(read(block)) }));
  return parts.flatMap((part) => {
    const place = left.findIndex(({ content }) => content === JSON.stringify(part));
    const [found] = place < 0 ? [] : left.splice(place, 1);
    return found === undefined ? write(part) : [found.block];
  });
}

/** A UUID of version 7: milliseconds since the epoch in 12 digits, then those of a random UUID. */
export function timedUuid(now: Date, random: string): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${random.slice(15)}`;
}

/** The refusals that several formats have in common. */
export const refusals = {
  pictureMissing: () =>
    new ForkRefused(
      localizable('An image of this context is not in the session file, so it cannot be written into a new one.'),
    ),
  promptMoved: () =>
    new ForkRefused(
      localizable('The session has changed: this prompt is no longer where it was read. Nothing was written.'),
    ),
  nothingBefore: () =>
    new ForkRefused(localizable('Nothing was said before this prompt: start a new conversation with it.')),
};

/** The messages of a context as pieces, in order, without the system prompt, which the agent adds itself. */
export function forkPieces(messages: readonly ContextMessage[], conversation: Conversation): ForkPiece[] {
  const recorded = new Map(conversation.entries.map((entry) => [entry.id, entry]));
  const sent = new Map(conversation.agentContext.map((entry) => [entry.id, entry]));
  const hasCore = messages.some(({ key }) => key === coreKey);
  const pieces = messages
    .filter(({ kind }) => kind !== 'system')
    .map((message): ForkPiece => {
      const entry = message.block === undefined ? sent.get(message.key) : undefined;
      if (entry === undefined) return textPiece(message);
      const withoutCore = hasCore && (entry.summary ?? entry.injected) ? withoutForkedCore(entry) : null;
      if (withoutCore !== null) return withoutCore;
      const isAsRecorded = message.pruned === undefined && recorded.get(entry.id) === entry;
      return isAsRecorded ? { kind: 'original', entry } : { kind: 'edited', entry, parts: message.parts };
    })
    .filter((piece) => piece.kind !== 'text' || piece.text !== '');
  return withWholeMessages(pieces);
}

/** The entries of a message that was split by author are one record, so they are written as one. */
function withWholeMessages(pieces: readonly ForkPiece[]): ForkPiece[] {
  const whole: ForkPiece[] = [];
  for (let at = 0; at < pieces.length; ) {
    const message = messageOf(pieces[at]);
    const after = pieces.findIndex((piece, index) => index > at && messageOf(piece) !== message);
    const end = message === null ? at + 1 : after < 0 ? pieces.length : after;
    whole.push(...joined(message, pieces.slice(at, end)));
    at = end;
  }
  return whole;
}

function messageOf(piece: ForkPiece | undefined): Entry | null {
  return piece === undefined || piece.kind === 'text' ? null : wholeOf(piece.entry);
}

function joined(message: Entry | null, pieces: readonly ForkPiece[]): readonly ForkPiece[] {
  const all = message === null ? [] : piecesOfWhole(message);
  if (message === null || (all.length === 1 && all[0] === message)) return pieces;
  const isOriginal = pieces.length === all.length && pieces.every(({ kind }) => kind === 'original');
  if (isOriginal) return [{ kind: 'original', entry: message }];
  const parts = pieces.flatMap((piece) => (piece.kind === 'text' ? [] : partsOf(piece)));
  const [first] = pieces;
  // Without the person's words it is not a message of theirs.
  const entry = pieces.length === 1 && first !== undefined && first.kind !== 'text' ? first.entry : message;
  return [{ kind: 'edited', entry, parts }];
}

/** The core of an earlier fork is replaced by the current one, so that it does not occur twice. */
function withoutForkedCore({ parts }: Entry): ForkPiece | null {
  const text = textOf(parts);
  const rest = withoutCoreText(text);
  return rest === text ? null : { kind: 'text', role: 'user', text: rest };
}

function textPiece({ role, parts }: ContextMessage): ForkPiece {
  return { kind: 'text', role: role === 'assistant' ? 'assistant' : 'user', text: textOf(parts) };
}
