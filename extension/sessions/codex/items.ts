import type { Part, ToolResultPart } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';
import { contentParts } from './content';
import { contentKinds, isInjected, summaryKind } from './injected';
import { jsonText } from './records';
import { resultPart } from './tool-output';

/** An item of a request, as the file has it: what Codex sends is a list of these. */
export type CodexItem =
  | { readonly kind: 'message'; readonly role: 'user' | 'system'; readonly parts: Part[]; readonly injected: boolean }
  | { readonly kind: 'summary'; readonly parts: Part[]; readonly isOpaque: boolean }
  /** A piece of what the model said: a reply is several of them in a row. */
  | { readonly kind: 'reply'; readonly parts: Part[]; readonly opensReply: boolean }
  | { readonly kind: 'result'; readonly parts: readonly [ToolResultPart, ...Part[]] };

export interface ItemSurroundings {
  /** The name of a tool, by the call that asked for it. */
  readonly toolName: (callId: string) => string | null;
  /** The text of the summary that the list of items was made with. */
  readonly summary: string | null;
}

const opaqueText =
  'Codex had its provider compact what came before. The summary is encrypted: only that provider can read it.';

/** Null for what is not sent, and for types that Strata does not know. */
export function readItem(item: JsonRecord, surroundings: ItemSurroundings): CodexItem | null {
  switch (item.type) {
    case 'message':
      return message(item, surroundings.summary);
    case 'agent_message':
      return { kind: 'message', role: 'user', parts: contentParts(item.content), injected: true };
    case 'additional_tools':
      return { kind: 'message', role: 'system', parts: toolDefinitions(item), injected: false };
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return { kind: 'summary', parts: [{ type: 'text', text: opaqueText }], isOpaque: true };
    case 'reasoning':
      return reply([reasoning(item)], true);
    default:
      return call(item) ?? serverCall(item) ?? result(item, surroundings);
  }
}

function reply(parts: Part[], opensReply = false): CodexItem {
  return { kind: 'reply', parts, opensReply };
}

function message(item: JsonRecord, summary: string | null): CodexItem | null {
  const parts = contentParts(item.content);
  if (parts.length === 0) return null;
  if (item.role === 'assistant') return reply(parts, true);
  if (item.role === 'developer' || item.role === 'system') {
    return { kind: 'message', role: 'system', parts, injected: false };
  }
  if (item.role !== 'user') return null;
  const isSummary = contentKinds(item).includes(summaryKind) || isText(parts, summary);
  return isSummary
    ? { kind: 'summary', parts, isOpaque: false }
    : { kind: 'message', role: 'user', parts, injected: isInjected(item, parts) };
}

function isText(parts: readonly Part[], text: string | null): boolean {
  const [part] = parts;
  return parts.length === 1 && part?.type === 'text' && text !== null && text !== '' && part.text === text;
}

/** What the provider lets be read of it; the rest is encrypted, and is sent back as it is. */
function reasoning(item: JsonRecord): Part {
  const texts = [...asRecords(item.summary), ...asRecords(item.content)].flatMap(({ text }) => asName(text) ?? []);
  return { type: 'reasoning', text: texts.join('\n\n') };
}

function call(item: JsonRecord): CodexItem | null {
  const callId = asName(item.call_id) ?? (item.type === 'local_shell_call' ? asName(item.id) : null);
  if (callId === null) return null;
  const asCall = (name: string, input: unknown): CodexItem =>
    reply([{ type: 'tool_call', callId, name, input: shownInput(input) }]);
  switch (item.type) {
    case 'function_call':
      return asCall(asText(item.name) ?? '', parsed(item.arguments));
    case 'custom_tool_call':
      return asCall(asText(item.name) ?? '', item.input ?? '');
    case 'local_shell_call':
      return asCall('local_shell', item.action ?? {});
    case 'tool_search_call':
      return asCall('tool_search', item.arguments ?? {});
    default:
      return null;
  }
}

function parsed(argumentsText: unknown): unknown {
  const text = asText(argumentsText) ?? '';
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** A tool that the provider itself ran: it has no result of its own in the list. */
function serverCall(item: JsonRecord): CodexItem | null {
  switch (item.type) {
    case 'web_search_call':
      return reply([{ type: 'text', text: `[Web search: ${searched(asRecord(item.action) ?? {})}]` }]);
    case 'image_generation_call': {
      const picture: Part = { type: 'image', mediaType: 'image/png', data: asName(item.result) };
      return reply([{ type: 'text', text: `[Picture made: ${asText(item.revised_prompt) ?? ''}]` }, picture]);
    }
    default:
      return null;
  }
}

function searched(action: JsonRecord): string {
  return asName(action.query) ?? asName(action.url) ?? asName(action.pattern) ?? asName(action.type) ?? '';
}

function result(item: JsonRecord, { toolName }: ItemSurroundings): CodexItem | null {
  const callId = asName(item.call_id);
  if (callId === null) return null;
  switch (item.type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'mcp_tool_call_output':
      return { kind: 'result', parts: resultPart(item.output, callId, asName(item.name) ?? toolName(callId)) };
    case 'tool_search_output':
      return { kind: 'result', parts: resultPart(jsonText(asList(item.tools)), callId, 'tool_search') };
    default:
      return null;
  }
}

function toolDefinitions(item: JsonRecord): Part[] {
  const tools = asRecords(item.tools);
  const names = tools.flatMap((tool) => asName(tool.name) ?? asName(tool.type) ?? []);
  return [{ type: 'tool_definitions', names, text: jsonText(tools) }];
}
