import type { ContextMessage } from '../../engine/conversation/context';
import { inputText, type Part, type ToolCallPart, toolCalls, toolResults } from '../../engine/conversation/entry';
import type { RowDetail, RowSection } from '../../protocol/view';

/** The longest section that is shown, in UTF-16 units; all of it stands at its origin. */
const longestSection = 50_000;

/** The whole of one row: its own parts, and for a tool call the result that answers it. */
export function rowDetail(
  key: string,
  messages: readonly ContextMessage[],
  originOf: (entryId: string) => RowDetail['origin'],
): RowDetail | null {
  const message = messages.find((candidate) => key === candidate.key || key.startsWith(`${candidate.key}#`));
  if (!message) return null;
  const part = key.slice(message.key.length + 1);
  const entryId = message.block || message.entryIds.length !== 1 ? null : (message.entryIds[0] ?? null);
  return { sections: sectionsOf(message, part, messages), origin: entryId ? originOf(entryId) : null, entryId };
}

function sectionsOf(message: ContextMessage, part: string, messages: readonly ContextMessage[]): RowSection[] {
  if (part === 'reasoning') return message.parts.filter(({ type }) => type === 'reasoning').flatMap(partSection);
  const call = toolCalls(message.parts).find(({ callId }) => callId === part);
  if (call) return toolSections(call, messages);
  const others = message.parts.filter(({ type }) => type !== 'reasoning' && type !== 'tool_call');
  return others.flatMap(partSection);
}

function toolSections(call: ToolCallPart, messages: readonly ContextMessage[]): RowSection[] {
  const results = messages
    .flatMap((message) => toolResults(message.parts))
    .filter(({ callId }) => callId === call.callId);
  return [callSection(call), ...results.slice(0, 1).flatMap(partSection)];
}

function callSection({ name, input }: ToolCallPart): RowSection {
  const text = typeof input === 'object' && input !== null ? JSON.stringify(input, null, 2) : inputText(input);
  return section(name, text, 'code');
}

function partSection(part: Part): RowSection[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [section('Text', part.text, 'plain')];
    case 'reasoning':
      return [section('Reasoning', part.text, 'quiet')];
    case 'tool_result':
      return [section(part.isError ? 'Error' : 'Result', part.text, part.isError ? 'error' : 'code')];
    case 'tool_call':
      return [callSection(part)];
    case 'image':
      return [section('Image', part.mediaType, 'quiet')];
    case 'tool_definitions':
      return [section(`Tools: ${part.names.join(', ')}`, part.text, 'code')];
  }
}

function section(label: string, text: string, tone: RowSection['tone']): RowSection {
  const cut = text.length > longestSection;
  return { label, text: cut ? text.slice(0, longestSection) : text, cut, tone };
}
