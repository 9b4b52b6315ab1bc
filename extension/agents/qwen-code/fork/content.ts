import { type Entry, inputText, type Part, type ToolResultPart } from '../../../engine/conversation/entry';
import { type ForkPiece, partsOf, refusals } from '../../../sessions/fork/fork-format';
import { CallIds } from '../../../sessions/gemini-content/call-ids';
import { readContent } from '../../../sessions/gemini-content/content';

/** A message in Qwen Code's format. */
interface WrittenContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly unknown[];
}

/**
 * The pieces as the history of a compression.
 * @param rawParts the message parts of the original's lines, by line number.
 */
export function contentsOf(pieces: readonly ForkPiece[], rawParts: ReadonlyMap<number, unknown>): WrittenContent[] {
  const contents: WrittenContent[] = [];
  let lineBefore: number | null = null;
  for (const piece of pieces) {
    const content = contentOf(piece, rawParts);
    const line = lineOf(piece);
    const last = contents.at(-1);
    // All user pieces of one row form one message: results, reminders, the prompt and mentioned files.
    const isSameMessage = line !== null && line === lineBefore && content.role === 'user' && last?.role === 'user';
    if (isSameMessage) contents[contents.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
    else if (content.parts.length > 0) contents.push(content);
    lineBefore = line;
  }
  return contents;
}

function lineOf(piece: ForkPiece): number | null {
  return piece.kind === 'text' ? null : piece.entry.origin.line;
}

function contentOf(piece: ForkPiece, rawParts: ReadonlyMap<number, unknown>): WrittenContent {
  if (piece.kind === 'text')
    return { role: piece.role === 'assistant' ? 'model' : 'user', parts: [{ text: piece.text }] };
  const { entry } = piece;
  const parts = partsOf(piece);
  if (entry.role !== 'assistant') return { role: 'user', parts: writtenParts(parts) };
  const raw = piece.kind === 'original' ? recordedParts(entry, rawParts.get(entry.origin.line)) : null;
  return { role: 'model', parts: raw ?? writtenParts(parts) };
}

/** The recorded parts, including thought signatures, if the row has exactly the content of this entry. */
function recordedParts(entry: Entry, raw: unknown): readonly unknown[] | null {
  if (!Array.isArray(raw)) return null;
  const { parts } = readContent(raw, new CallIds());
  return JSON.stringify(parts) === JSON.stringify(entry.parts) ? raw : null;
}

function writtenParts(parts: readonly Part[]): unknown[] {
  const [first, ...rest] = parts;
  if (first?.type === 'tool_result') return [writtenResult(first, rest)];
  return parts.map(writtenPart);
}

function writtenPart(part: Part): unknown {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'reasoning':
      return { text: part.text, thought: true };
    case 'tool_call':
      return { functionCall: { id: part.callId, name: part.name, args: argumentsOf(part.input) } };
    case 'tool_result':
      return writtenResult(part, []);
    case 'image':
      return writtenImage(part);
    case 'tool_definitions':
      return { text: part.text };
  }
}

/** Arguments must be an object; others come from an invalid call. */
function argumentsOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null ? input : { input: inputText(input) };
}

function writtenResult({ callId, name, text, isError }: ToolResultPart, images: readonly Part[]): unknown {
  const response = isError ? { error: text } : { output: text };
  const media = images.filter((part) => part.type === 'image').map(writtenImage);
  const parts = media.length === 0 ? {} : { parts: media };
  return { functionResponse: { id: callId, ...(name === null ? {} : { name }), response, ...parts } };
}

function writtenImage({ mediaType, data }: Extract<Part, { type: 'image' }>): unknown {
  if (data === null) throw refusals.pictureMissing();
  return { inlineData: { mimeType: mediaType, data } };
}
