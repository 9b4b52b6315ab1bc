import type { ContextMessage } from '../../engine/conversation/context';
import {
  type ImagePart,
  inputText,
  type Part,
  type ToolCallPart,
  toolCalls,
  toolResults,
} from '../../engine/conversation/entry';
import type { ImageView, RowDetail, RowSection } from '../../protocol/view';

/** In UTF-16 units. The full text is in the session file. */
const maxSectionLength = 50_000;
/** In base64 characters, about six million bytes. */
const maxImageLength = 8_000_000;
/** Raster images only, because formats such as SVG can contain scripts. */
const shownImageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The full content of one row: its own parts, and for a tool call its result. */
export function rowDetail(
  key: string,
  messages: readonly ContextMessage[],
  originOf: (entryId: string) => RowDetail['origin'],
): RowDetail | null {
  const place = findRow(key, messages);
  if (!place) return null;
  const { message } = place;
  const entryId = message.block || message.entryIds.length !== 1 ? null : (message.entryIds[0] ?? null);
  return {
    sections: sectionsOf(place, messages),
    images: imagesOf(place, messages),
    origin: entryId ? originOf(entryId) : null,
    entryId,
  };
}

/** The images of one row, in order; null if there is no such row. */
export function rowImages(key: string, messages: readonly ContextMessage[]): ImageView[] | null {
  const place = findRow(key, messages);
  return place && imagesOf(place, messages);
}

/** A row of a message. `part`: `reasoning`, a call id, or empty for the text. */
interface RowPlace {
  readonly message: ContextMessage;
  readonly part: string;
}

function findRow(key: string, messages: readonly ContextMessage[]): RowPlace | null {
  const message = messages.find((candidate) => key === candidate.key || key.startsWith(`${candidate.key}#`));
  return message ? { message, part: key.slice(message.key.length + 1) } : null;
}

function sectionsOf({ message, part }: RowPlace, messages: readonly ContextMessage[]): RowSection[] {
  const tone = hasStructure(message) ? 'markdown' : 'plain';
  if (part === 'reasoning') {
    return message.parts.filter(({ type }) => type === 'reasoning').flatMap((one) => partSection(one, tone));
  }
  const call = toolCalls(message.parts).find(({ callId }) => callId === part);
  if (call) return toolSections(call, messages);
  const others = message.parts.filter(({ type }) => type !== 'reasoning' && type !== 'tool_call');
  return others.flatMap((one) => partSection(one, tone));
}

/** Messages and summaries are Markdown. Agents' own prompts contain tags that must be shown verbatim. */
function hasStructure({ kind, injected }: ContextMessage): boolean {
  return kind !== 'system' && !injected;
}

function imagesOf({ message, part }: RowPlace, messages: readonly ContextMessage[]): ImageView[] {
  if (part === 'reasoning') return [];
  const isCall = toolCalls(message.parts).some(({ callId }) => callId === part);
  const holder = isCall ? messages.find((candidate) => answers(candidate, part)) : message;
  return (holder?.parts ?? []).filter((one) => one.type === 'image').map(imageView);
}

function answers({ parts }: ContextMessage, callId: string): boolean {
  return toolResults(parts).some((result) => result.callId === callId);
}

function imageView({ mediaType, data }: ImagePart): ImageView {
  const isShown = data !== null && data.length <= maxImageLength && shownImageTypes.includes(mediaType);
  return { mediaType, source: isShown && isBase64(data) ? `data:${mediaType};base64,${data}` : null };
}

function isBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

function toolSections(call: ToolCallPart, messages: readonly ContextMessage[]): RowSection[] {
  const results = messages
    .flatMap((message) => toolResults(message.parts))
    .filter(({ callId }) => callId === call.callId);
  return [callSection(call), ...results.slice(0, 1).flatMap((result) => partSection(result, 'code'))];
}

function callSection({ name, input }: ToolCallPart): RowSection {
  const text = typeof input === 'object' && input !== null ? JSON.stringify(input, null, 2) : inputText(input);
  return section(name, text, 'code');
}

/** `tone`: for text and reasoning. Images are shown separately. */
function partSection(part: Part, tone: RowSection['tone']): RowSection[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [section('', part.text, tone)];
    case 'reasoning':
      return [section('Reasoning', part.text, tone)];
    case 'tool_result':
      return [section(part.isError ? 'Error' : 'Result', part.text, part.isError ? 'error' : 'code')];
    case 'tool_call':
      return [callSection(part)];
    case 'image':
      return [];
    case 'tool_definitions':
      return [section(`Tools: ${part.names.join(', ')}`, part.text, 'code')];
  }
}

function section(label: string, text: string, tone: RowSection['tone']): RowSection {
  const cut = text.length > maxSectionLength;
  return { label, text: cut ? text.slice(0, maxSectionLength) : text, cut, tone };
}
