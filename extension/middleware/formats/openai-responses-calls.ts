import type { ToolCallPart } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import { shownInput } from '../../sessions/records/tool-input';
import type { ReceivedResult } from '../recognition/received';
import { callInput } from './call-input';
import { blocksIn, jsonOf, namedPicture, pictureAt, type Said, said } from './content';
import { resultOf } from './results';

const itemIds = s.record({ type: s.text, call_id: s.name, id: s.name });

type ItemIds = s.Read<typeof itemIds>;

/**
 * Reads a call that the client must answer, in a request or a response of the Responses API. Null for all other items,
 * including calls of tools that the provider runs, which have no `call_id`.
 */
export function responsesCall(item: s.JsonRecord): ToolCallPart | null {
  const ids = s.read(itemIds, item);
  const callId = callIdOf(ids);
  if (callId === null || !ids.type.endsWith('_call')) return null;
  return { type: 'tool_call', callId, name: nameOf(ids.type, item), input: shownInput(inputOf(ids.type, item)) };
}

function nameOf(type: string, { name }: s.JsonRecord): string {
  const isNamed = type === 'function_call' || type === 'custom_tool_call';
  return isNamed ? s.read(s.text, name) : type.slice(0, -'_call'.length);
}

function inputOf(type: string, item: s.JsonRecord): unknown {
  // Custom tools take free text, which may happen to be JSON.
  if (type === 'custom_tool_call') return s.read(s.text, item.input);
  const input = item.arguments ?? item.action ?? item.actions ?? item.operation ?? '';
  return typeof input === 'string' ? callInput(input) : input;
}

/** Whether an item is a client's result of a call. */
export function isResponsesResult(item: s.JsonRecord): boolean {
  const type = s.read(s.text, item.type);
  const isOutput = type.endsWith('_call_output') || type === 'tool_search_output';
  return isOutput && callIdOf(s.read(itemIds, item)) !== null;
}

export function responsesResult(item: s.JsonRecord): ReceivedResult {
  return resultOf(callIdOf(s.read(itemIds, item)) ?? '', outputOf(item));
}

function callIdOf({ type, call_id, id }: ItemIds): string | null {
  const isLocalShell = type === 'local_shell_call' || type === 'local_shell_call_output';
  return call_id ?? (isLocalShell ? id : null);
}

function outputOf({ output, tools }: s.JsonRecord): Said[] {
  if (output === undefined || output === null) return tools === undefined ? [] : said(jsonOf({ tools }));
  return s.isRecord(output) ? responsesBlock(output) : responsesContent(output);
}

/** Reads the content of a message or a result. */
export function responsesContent(content: unknown): Said[] {
  if (typeof content === 'string') return said(content);
  return blocksIn(content).flatMap(responsesBlock);
}

const pictureBlock = s.record({ image_url: s.name, file_id: s.text });

function responsesBlock(block: s.JsonRecord): Said[] {
  switch (block.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return said(s.read(s.text, block.text));
    case 'refusal':
      return said(s.read(s.text, block.refusal));
    case 'input_image':
    case 'computer_screenshot':
      return picture(s.read(pictureBlock, block));
    default:
      return said(jsonOf(block));
  }
}

function picture({ image_url: url, file_id: id }: s.Read<typeof pictureBlock>): Said[] {
  return url === null ? namedPicture(id) : pictureAt(url);
}
