import type { ImagePart } from '../engine/conversation/entry';
import type { ForkPiece } from '../sessions/fork/fork-format';

/** One message of the context that an agent continues with, as plain data. */
export interface Piece {
  readonly role: 'user' | 'assistant' | 'tool';
  /** The entry of the session file that it is; null for what Strata wrote. */
  readonly entry: string | null;
  /** It says something else than the agent would send: Strata wrote or changed it. */
  readonly isOurs: boolean;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  /** The call that it answers. */
  readonly result: { readonly id: string; readonly name: string | null; readonly isError: boolean } | null;
  readonly images: readonly Pick<ImagePart, 'mediaType' | 'data'>[];
}

export function pieceOf(piece: ForkPiece, asSent: (entry: string) => unknown): Piece {
  if (piece.kind === 'text') {
    const { role, text } = piece;
    return { role, entry: null, isOurs: true, text, calls: [], result: null, images: [] };
  }
  const { entry } = piece;
  const parts = piece.kind === 'edited' ? piece.parts : entry.parts;
  const result = parts.find((part) => part.type === 'tool_result');
  return {
    role: entry.role === 'assistant' || entry.role === 'tool' ? entry.role : 'user',
    entry: entry.id,
    isOurs: parts !== asSent(entry.id),
    text: parts.flatMap((part) => (part.type === 'text' || part.type === 'tool_result' ? [part.text] : [])).join('\n'),
    calls: parts.flatMap((part) =>
      part.type === 'tool_call' ? [{ id: part.callId, name: part.name, input: part.input }] : [],
    ),
    result: result ? { id: result.callId, name: result.name, isError: result.isError } : null,
    images: parts.flatMap((part) => (part.type === 'image' ? [{ mediaType: part.mediaType, data: part.data }] : [])),
  };
}

/** The context to read: a heading for each message, then what it says. */
export function piecesAsText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => `── ${piece.role}${piece.isOurs ? ' · Strata' : ''}\n${pieceText(piece)}`).join('\n\n');
}

/** The messages as one text, for an agent that takes nothing else. */
export function transcriptOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => (piece.entry === null ? piece.text : `${speakers[piece.role]}: ${pieceText(piece)}`))
    .join('\n\n');
}

const speakers = { user: 'User', assistant: 'Assistant', tool: 'Tool result' } as const;

function pieceText({ text, calls, images }: Piece): string {
  return [
    ...(text === '' ? [] : [text]),
    ...calls.map(({ name, input }) => `[${name} ${typeof input === 'string' ? input : JSON.stringify(input)}]`),
    ...images.map(() => '[a picture]'),
  ].join('\n');
}
