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

/** The longest section that is shown, in UTF-16 units; all of it stands at its origin. */
const longestSection = 50_000;
/** Characters of base64, which is what crosses to the webview: six million bytes of a picture. */
const largestImage = 8_000_000;
/** Raster images alone: what is drawn by a program of its own, such as SVG, is never shown. */
const shownImages: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The whole of one row: its own parts, and for a tool call the result that answers it. */
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

/** The images of one row, in their order; null where there is no such row. */
export function rowImages(key: string, messages: readonly ContextMessage[]): ImageView[] | null {
  const place = findRow(key, messages);
  return place && imagesOf(place, messages);
}

/** A message, and which of its rows: `reasoning`, the id of a call, or nothing for its text. */
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

/** What people, models and summaries say is Markdown; prompts of agents are full of tags that must show as they are. */
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
  const isShown = data !== null && data.length <= largestImage && shownImages.includes(mediaType);
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

/** `tone`: of what was said. Images stand beside the sections. */
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
  const cut = text.length > longestSection;
  return { label, text: cut ? text.slice(0, longestSection) : text, cut, tone };
}
