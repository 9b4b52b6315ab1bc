import type { ImagePart, Part, ToolResultPart } from '../../../engine/conversation/entry';
import { providerTool } from '../../../engine/conversation/provider-tools';
import { dataUrl } from '../../../platform/json/data-url';
import { parsedOrText } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { shownInput } from '../../../sessions/records/tool-input';
import { contentKinds, isInjected, summaryKind } from './injected';
import { jsonText } from './records';

/** A response item of the file. Codex's request is a list of these. */
export type CodexItem =
  | { readonly kind: 'message'; readonly role: 'user' | 'system'; readonly parts: Part[]; readonly injected: boolean }
  | { readonly kind: 'summary'; readonly parts: Part[]; readonly isOpaque: boolean }
  /** A part of a reply: consecutive items of this kind form one reply. */
  | { readonly kind: 'reply'; readonly parts: Part[]; readonly opensReply: boolean }
  | { readonly kind: 'result'; readonly parts: readonly [ToolResultPart, ...Part[]] };

interface ItemSurroundings {
  /** The name of a tool, by call id. */
  readonly toolName: (callId: string) => string | null;
  /** The text of the compaction whose list contains the item; null outside of one. */
  readonly summary: string | null;
}

const opaqueText =
  'Codex had its provider compact what came before. The summary is encrypted: only that provider can read it.';

const textRecords = s.records({ text: s.name });
const itemRecord = s.record({
  type: s.name,
  role: s.name,
  id: s.name,
  call_id: s.name,
  name: s.text,
  content: s.anything,
  summary: textRecords,
  arguments: s.anything,
  input: s.anything,
  action: s.anything,
  output: s.anything,
  tools: s.list,
});
const searchAction = s.record({ query: s.name, url: s.name, pattern: s.name, type: s.name });
const pictureItem = s.record({ result: s.name, revised_prompt: s.text });
const toolRecord = s.record({ name: s.name, type: s.name });

type Item = s.Read<typeof itemRecord>;

/** Null for items that are not sent, and for unknown types. */
export function readItem(item: s.JsonRecord, { toolName, summary }: ItemSurroundings): CodexItem | null {
  const fields = s.read(itemRecord, item);
  const { type, call_id: callId, name, content, action, output, tools } = fields;
  switch (type) {
    case 'message':
      return message(item, fields, summary);
    case 'agent_message':
      return { kind: 'message', role: 'user', parts: contentParts(content), injected: true };
    case 'additional_tools':
      return { kind: 'message', role: 'system', parts: [toolDefinitions(tools)], injected: false };
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return { kind: 'summary', parts: [{ type: 'text', text: opaqueText }], isOpaque: true };
    case 'reasoning':
      return reply([reasoning(fields)], true);
    case 'function_call':
      return call(callId, name, parsedOrText(s.read(s.text, fields.arguments)));
    case 'custom_tool_call':
      return call(callId, name, fields.input ?? '');
    case 'local_shell_call':
      return call(callId ?? fields.id, 'local_shell', action ?? {});
    case 'tool_search_call':
      return call(callId, 'tool_search', fields.arguments ?? {});
    // The provider runs these tools itself, so the list has no result for them.
    case 'web_search_call':
      return reply([{ type: 'text', text: providerTool('Web search', searched(action)) }]);
    case 'image_generation_call':
      return reply(pictureMade(item));
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'mcp_tool_call_output':
      return callId === null ? null : result(output, callId, name || toolName(callId));
    case 'tool_search_output':
      return callId === null ? null : result(jsonText(tools), callId, 'tool_search');
    default:
      return null;
  }
}

function reply(parts: Part[], opensReply = false): CodexItem {
  return { kind: 'reply', parts, opensReply };
}

function call(callId: string | null, name: string, input: unknown): CodexItem | null {
  return callId === null ? null : reply([{ type: 'tool_call', callId, name, input: shownInput(input) }]);
}

function result(output: unknown, callId: string, name: string | null): CodexItem {
  return { kind: 'result', parts: resultPart(output, callId, name) };
}

function message(item: s.JsonRecord, { role, content }: Item, summary: string | null): CodexItem | null {
  const parts = contentParts(content);
  if (parts.length === 0) return null;
  if (role === 'assistant') return reply(parts, true);
  if (role === 'developer' || role === 'system') return { kind: 'message', role: 'system', parts, injected: false };
  if (role !== 'user') return null;
  const isSummary = contentKinds(item).includes(summaryKind) || isText(parts, summary);
  return isSummary
    ? { kind: 'summary', parts, isOpaque: false }
    : { kind: 'message', role: 'user', parts, injected: isInjected(item, parts) };
}

function isText(parts: readonly Part[], text: string | null): boolean {
  const [part] = parts;
  return parts.length === 1 && part?.type === 'text' && text !== null && text !== '' && part.text === text;
}

/** The readable part. The rest is encrypted and sent back unchanged. */
function reasoning({ summary, content }: Item): Part {
  const texts = [...summary, ...s.read(textRecords, content)].flatMap(({ text }) => text ?? []);
  return { type: 'reasoning', text: texts.join('\n\n') };
}

function searched(action: unknown): string {
  const { query, url, pattern, type } = s.read(searchAction, action);
  return query ?? url ?? pattern ?? type ?? '';
}

function pictureMade(item: s.JsonRecord): Part[] {
  const { result: data, revised_prompt: prompt } = s.read(pictureItem, item);
  return [
    { type: 'text', text: providerTool('Picture made', prompt) },
    { type: 'image', mediaType: 'image/png', data },
  ];
}

function toolDefinitions(list: readonly unknown[]): Part {
  const tools = s.read(s.jsonRecords, list);
  const names = tools.flatMap((tool) => {
    const { name, type } = s.read(toolRecord, tool);
    return name ?? type ?? [];
  });
  return { type: 'tool_definitions', names, text: jsonText(tools) };
}

type ResultParts = readonly [ToolResultPart, ...Part[]];

/**
 * Output of a tool: a string, a list of blocks, or (in older versions) a record that contains either with the outcome.
 */
function resultPart(output: unknown, callId: string, name: string | null): ResultParts {
  const record = s.read(s.jsonRecord, output);
  const content = record === null ? output : (record.content ?? record.content_items ?? jsonText(record));
  const parts = contentParts(content);
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const isError = record?.success === false || (s.read(s.list, content).length === 0 && endedInError(text));
  const images = parts.filter((part) => part.type === 'image');
  return [{ type: 'tool_result', callId, name, text, isError }, ...images];
}

/** The line with the exit code of a command, in all versions so far. */
const exitCode = /^(?:Exit code: |Process exited with code )(-?\d+)$/m;
const exitCodeInJson = /"metadata":\{"exit_code":(-?\d+)/;

/** Number of characters searched at the start, and at the end if the output is JSON. In UTF-16 units. */
const lookedAt = 500;

function endedInError(text: string): boolean {
  const head = text.slice(0, lookedAt).split('\nOutput:\n', 1)[0] ?? '';
  const json = text.startsWith('{"output":') ? text.slice(-lookedAt) : null;
  const code = exitCode.exec(head)?.[1] ?? (json === null ? undefined : exitCodeInJson.exec(json)?.[1]);
  return code !== undefined && code !== '0';
}

const contentBlock = s.record({ type: s.name, text: s.text, refusal: s.text, image_url: s.text });

/** Content of a message or of a tool's output: a string, or a list of blocks. */
function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return s.read(s.jsonRecords, content).map(blockPart);
}

function blockPart(block: s.JsonRecord): Part {
  const { type, text, refusal, image_url: url } = s.read(contentBlock, block);
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text };
    case 'refusal':
      return { type: 'text', text: refusal };
    case 'input_image':
      return imagePart(url);
    default:
      // A block of an unknown type takes up context too, so it is shown as JSON.
      return { type: 'text', text: jsonText(block) };
  }
}

/** A data URL becomes a picture; any other address is only named. */
function imagePart(url: string): ImagePart {
  const picture = dataUrl(url);
  return { type: 'image', mediaType: picture?.mediaType ?? 'image/*', data: picture?.data ?? null };
}
