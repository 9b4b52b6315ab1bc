import type { ToolCallPart } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asText, type JsonRecord } from '../../sessions/records/json';
import { shownInput } from '../../sessions/records/tool-input';
import type { ReceivedResult } from '../recognition/received';
import { callInput } from '../wire/call-input';
import { jsonOf, namedPicture, pictureAt, type Said, said } from './content';
import { resultOf } from './results';

/**
 * Reads a call that the client must answer, in a request or a response of the Responses API. Null for all other items,
 * including calls of tools that the provider runs, which have no `call_id`.
 */
export function responsesCall(item: JsonRecord): ToolCallPart | null {
  const type = asText(item.type) ?? '';
  const callId = callIdOf(item);
  if (callId === null || !type.endsWith('_call')) return null;
  return { type: 'tool_call', callId, name: nameOf(type, item), input: shownInput(inputOf(type, item)) };
}

function nameOf(type: string, { name }: JsonRecord): string {
  const isNamed = type === 'function_call' || type === 'custom_tool_call';
  return isNamed ? (asText(name) ?? '') : type.slice(0, -'_call'.length);
}

function inputOf(type: string, item: JsonRecord): unknown {
  // Custom tools take free text, which may happen to be JSON.
  if (type === 'custom_tool_call') return asText(item.input) ?? '';
  const input = item.arguments ?? item.action ?? item.actions ?? item.operation ?? '';
  return typeof input === 'string' ? callInput(input) : input;
}

/** Whether an item is a client's result of a call. */
export function isResponsesResult(item: JsonRecord): boolean {
  const type = asText(item.type) ?? '';
  return callIdOf(item) !== null && (type.endsWith('_call_output') || type === 'tool_search_output');
}

export function responsesResult(item: JsonRecord): ReceivedResult {
  return resultOf(callIdOf(item) ?? '', outputOf(item));
}

function callIdOf({ type, call_id, id }: JsonRecord): string | null {
  const isLocalShell = type === 'local_shell_call' || type === 'local_shell_call_output';
  return asName(call_id) ?? (isLocalShell ? asName(id) : null);
}

function outputOf(item: JsonRecord): Said[] {
  const { output } = item;
  if (output === undefined || output === null)
    return said(item.tools === undefined ? null : jsonOf({ tools: item.tools }));
  const record = asRecord(output);
  return record === null ? responsesContent(output) : responsesBlock(record);
}

/** Reads the content of a message or a result. */
export function responsesContent(content: unknown): Said[] {
  if (typeof content === 'string') return said(content);
  return asList(content).flatMap((block) => responsesBlock(asRecord(block) ?? {}));
}

function responsesBlock(block: JsonRecord): Said[] {
  switch (block.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return said(asText(block.text));
    case 'refusal':
      return said(asText(block.refusal));
    case 'input_image':
    case 'computer_screenshot':
      return picture(block);
    default:
      return said(jsonOf(block));
  }
}

function picture({ image_url, file_id }: JsonRecord): Said[] {
  const url = asName(image_url);
  return url === null ? namedPicture(asText(file_id) ?? '') : pictureAt(url);
}
