import type { ImagePart } from '../engine/conversation/entry';
import type { ForkPiece } from '../sessions/fork/fork-format';

/** One message of the context with which an agent continues, as plain data. */
export interface Piece {
  readonly role: 'user' | 'assistant' | 'tool';
  /** The entry of the session file that the message repeats; null if Strata wrote it. */
  readonly entry: string | null;
  /** The text differs from what the agent would send: Strata wrote or changed it. */
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

/** The context as readable text: a heading for each message, then its content. */
export function piecesAsText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => `── ${piece.role}${piece.isOurs ? ' · Strata' : ''}\n${pieceText(piece)}`).join('\n\n');
}

/** The messages as one text, for an agent that accepts nothing else. */
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
