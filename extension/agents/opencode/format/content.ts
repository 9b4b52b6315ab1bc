import type { ImagePart, Part, TextPart, ToolResultPart, Usage } from '../../../engine/conversation/entry';
import { dataUrl } from '../../../platform/json/data-url';
import { shownInput } from '../../../sessions/records/tool-input';
import { reportedUsage } from '../../../sessions/records/usage';
import type { FileData, TokenCounts, ToolState } from './data';
import { clearedAt, type MessagePart, typeOf } from './message';

/** Texts that OpenCode 1.18.33 sends but does not store. */
const sentTexts = {
  cleared: '[Old tool result content cleared]',
  interrupted: '[Tool execution was interrupted]',
  compaction: 'What did we do so far?',
  subtask: 'The following tool was executed by the user',
};

/** Whether OpenCode itself added the part to a message of a person: a reminder, the content of a file. */
export function isAdded(part: MessagePart): boolean {
  return typeOf(part) === 'text' && part.data.synthetic;
}

/** The sent form of a part of a user message. Text files are skipped, because OpenCode stores their content as separate text parts. */
export function userPart(part: MessagePart): Part[] {
  const { data } = part;
  switch (typeOf(part)) {
    case 'text':
      return data.ignored ? [] : textPart(data.text);
    case 'file':
      return filePart(data);
    case 'compaction':
      return textPart(sentTexts.compaction);
    case 'subtask':
      return textPart(sentTexts.subtask);
    default:
      return [];
  }
}

export function textPart(text: string): TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function filePart({ mime, url }: FileData): ImagePart[] {
  const mediaType = mime ?? 'image/*';
  if (mediaType === 'text/plain' || mediaType === 'application/x-directory') return [];
  return [{ type: 'image', mediaType, data: dataUrl(url)?.data ?? null }];
}

/** Whether a person wrote any of the parts. OpenCode adds reminders, contents of files and prompts to continue. */
export function isByPerson(parts: readonly MessagePart[]): boolean {
  return parts.some(
    (part) => typeOf(part) === 'file' || (typeOf(part) === 'text' && !part.data.synthetic && !part.data.ignored),
  );
}

export function callPart(part: MessagePart, callId: string): Part {
  return { type: 'tool_call', callId, name: part.data.tool, input: shownInput(part.data.state?.input ?? {}) };
}

/**
 * The result of a call; null while it runs. Images belong to their result, although OpenCode sends them to some providers
 * in a separate message after it.
 */
export function resultParts(part: MessagePart, callId: string): Part[] | null {
  const { state } = part.data;
  switch (state?.status) {
    case 'completed':
      return [result(part, callId, state.output, false), ...state.attachments.flatMap(filePart)];
    case 'error':
      return [failure(part, callId, state)];
    default:
      return null;
  }
}

/** An interrupted command is sent with its output so far. */
function failure(part: MessagePart, callId: string, { error, metadata }: ToolState): ToolResultPart {
  const output = metadata.interrupted ? metadata.output : null;
  return output === null ? result(part, callId, error, true) : result(part, callId, output, false);
}

/** The parts that are sent for a result: a placeholder if OpenCode cleared it. */
export function sentResultParts(part: MessagePart, callId: string, parts: readonly Part[]): readonly Part[] {
  const isCleared = part.data.state?.status === 'completed' && clearedAt(part) !== null;
  return isCleared ? [result(part, callId, sentTexts.cleared, false)] : parts;
}

export function interruptedResult(part: MessagePart, callId: string): ToolResultPart {
  return result(part, callId, sentTexts.interrupted, true);
}

function result(part: MessagePart, callId: string, text: string, isError: boolean): ToolResultPart {
  return { type: 'tool_result', callId, name: part.data.tool, text, isError };
}

/** OpenCode's output count excludes reasoning. Null if all counts are zero. */
export function usageOf(tokens: TokenCounts | null): Usage | null {
  if (tokens === null) return null;
  const { input, output, reasoning, cache } = tokens;
  const usage: Usage = { input, output: output + reasoning, cacheRead: cache.read, cacheWrite: cache.write };
  return reportedUsage(usage);
}
