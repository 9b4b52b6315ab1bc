import { type ImagePart, inputText, type Part, type ToolResultPart } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import { shownInput } from '../records/tool-input';
import type { CallIds } from './call-ids';

/*
 * Message content of the Gemini family of agents: a list of parts (`text`, `thought`, `inlineData`, `functionCall`,
 * `functionResponse`), a single part, or a string.
 */

interface GeminiContent {
  /** All parts except tool results. */
  readonly parts: readonly Part[];
  readonly results: readonly GeminiResult[];
}

export interface GeminiResult {
  readonly result: ToolResultPart;
  readonly images: readonly ImagePart[];
}

const media = {
  inlineData: s.optionalRecord({ mimeType: s.name, data: s.name }),
  fileData: s.optionalRecord({ mimeType: s.name }),
};

export const callFields = { id: s.name, name: s.text, args: s.anything };

const partRecord = s.record({
  ...media,
  functionCall: s.optionalRecord(callFields),
  functionResponse: s.optionalRecord({ id: s.name, name: s.name, parts: s.records(media), response: s.anything }),
});

type GeminiPart = s.Read<typeof partRecord>;

const responseRecord = s.record({ output: s.textOrNull, error: s.textOrNull });

export function readContent(content: unknown, calls: CallIds): GeminiContent {
  const parts: Part[] = [];
  const results: GeminiResult[] = [];
  for (const item of itemsOf(content)) {
    const { text, thought, functionResponse } = item;
    // Most parts are texts, and have no other fields to read.
    if (typeof text === 'string' && !s.isRecord(functionResponse)) {
      if (text !== '') parts.push({ type: s.flag(thought) ? 'reasoning' : 'text', text });
      continue;
    }
    const fields = s.read(partRecord, item);
    if (fields.functionResponse !== null) results.push(...resultOf(fields.functionResponse, calls));
    else parts.push(...partOf(fields, item, calls));
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

function itemsOf(content: unknown): s.JsonRecord[] {
  const items = Array.isArray(content) ? content : [content];
  return items.map((item: unknown) => (typeof item === 'string' ? { text: item } : item)).filter(s.isRecord);
}

function partOf(fields: GeminiPart, item: s.JsonRecord, calls: CallIds): Part[] {
  const { functionCall } = fields;
  if (functionCall !== null) return [toolCall(functionCall, calls)];
  const image = imageOf(fields);
  return image === null ? unknownPart(item) : [image];
}

export function toolCall({ id, name, args }: NonNullable<GeminiPart['functionCall']>, calls: CallIds): Part {
  return { type: 'tool_call', callId: calls.ofCall(id, name), name, input: shownInput(args ?? {}) };
}

function imageOf({ inlineData, fileData }: Pick<GeminiPart, keyof typeof media>): ImagePart | null {
  const image = inlineData ?? fileData;
  if (image === null) return null;
  return { type: 'image', mediaType: image.mimeType ?? 'image/*', data: inlineData?.data ?? null };
}

/** Unknown parts are shown as JSON because they take up context. A part that only carries a thought signature is empty. */
function unknownPart(item: s.JsonRecord): Part[] {
  const hasContent = Object.keys(item).some((key) => key !== 'thoughtSignature' && key !== 'thought');
  return hasContent ? [{ type: 'text', text: inputText(shownInput(item)) }] : [];
}

function resultOf(fields: NonNullable<GeminiPart['functionResponse']>, calls: CallIds): GeminiResult[] {
  const { id, name, parts, response } = fields;
  const callId = calls.ofResult(id, name);
  if (callId === null) return [];
  const images = parts.flatMap((part) => imageOf(part) ?? []);
  return [{ result: { type: 'tool_result', callId, name, ...textOfResponse(response) }, images }];
}

/** The agents' own tools answer with `output` or `error`; tools of other servers may answer with any object. */
function textOfResponse(response: unknown): Pick<ToolResultPart, 'text' | 'isError'> {
  const { output, error } = s.read(responseRecord, response);
  if (output !== null) return { text: output, isError: false };
  if (error !== null) return { text: error, isError: true };
  return { text: response === undefined || response === null ? '' : inputText(shownInput(response)), isError: false };
}
