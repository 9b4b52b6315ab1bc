import { type ImagePart, inputText, type Part, type ToolResultPart } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';
import type { CallIds } from './call-ids';

/*
 * Message content of the Gemini family of agents: a list of parts (`text`, `thought`, `inlineData`, `functionCall`,
 * `functionResponse`), a single part, or a string.
 */

export interface GeminiContent {
  /** All parts except tool results. */
  readonly parts: readonly Part[];
  readonly results: readonly GeminiResult[];
}

export interface GeminiResult {
  readonly result: ToolResultPart;
  readonly images: readonly ImagePart[];
}

export function readContent(content: unknown, calls: CallIds): GeminiContent {
  const parts: Part[] = [];
  const results: GeminiResult[] = [];
  for (const item of itemsOf(content)) {
    const fields = typeof item === 'string' ? { text: item } : asRecord(item);
    if (fields === null) continue;
    const response = asRecord(fields.functionResponse);
    if (response !== null) results.push(...resultOf(response, calls));
    else parts.push(...partOf(fields, calls));
  }
  return { parts, results };
}

/** Like `readContent`, for a message with the user role. Only a model can call a tool, so a call becomes text. */
export function readUserContent(content: unknown, calls: CallIds): GeminiContent {
  const { parts, results } = readContent(content, calls);
  return { parts: parts.map(callAsText), results };
}

function callAsText(part: Part): Part {
  if (part.type !== 'tool_call') return part;
  return { type: 'text', text: inputText({ functionCall: { name: part.name, args: part.input } }) };
}

function itemsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' || asRecord(content) !== null ? [content] : asList(content);
}

function partOf(fields: JsonRecord, calls: CallIds): Part[] {
  const text = asText(fields.text);
  if (text !== null) return text === '' ? [] : [{ type: fields.thought === true ? 'reasoning' : 'text', text }];
  const call = asRecord(fields.functionCall);
  if (call !== null) return [toolCall(call, calls)];
  const image = imageOf(fields);
  return image === null ? unknownPart(fields) : [image];
}

export function toolCall(call: JsonRecord, calls: CallIds): Part {
  const name = asText(call.name) ?? '';
  return { type: 'tool_call', callId: calls.ofCall(asName(call.id), name), name, input: shownInput(call.args ?? {}) };
}

function imageOf(fields: JsonRecord): ImagePart | null {
  const inline = asRecord(fields.inlineData);
  const media = inline ?? asRecord(fields.fileData);
  if (media === null) return null;
  return { type: 'image', mediaType: asName(media.mimeType) ?? 'image/*', data: asName(inline?.data) };
}

/** Unknown parts are shown as JSON because they take up context. A part that only carries a thought signature is empty. */
function unknownPart(fields: JsonRecord): Part[] {
  const hasContent = Object.keys(fields).some((key) => key !== 'thoughtSignature' && key !== 'thought');
  return hasContent ? [{ type: 'text', text: inputText(shownInput(fields)) }] : [];
}

function resultOf(response: JsonRecord, calls: CallIds): GeminiResult[] {
  const name = asName(response.name);
  const callId = calls.ofResult(asName(response.id), name);
  if (callId === null) return [];
  const images = asRecords(response.parts).flatMap((part) => imageOf(part) ?? []);
  return [{ result: { type: 'tool_result', callId, name, ...textOfResponse(response.response) }, images }];
}

/** The agents' own tools answer with `output` or `error`; tools of other servers may answer with any object. */
function textOfResponse(value: unknown): Pick<ToolResultPart, 'text' | 'isError'> {
  const response = asRecord(value);
  const output = asText(response?.output);
  if (output !== null) return { text: output, isError: false };
  const error = asText(response?.error);
  if (error !== null) return { text: error, isError: true };
  return { text: value === undefined || value === null ? '' : inputText(shownInput(value)), isError: false };
}
