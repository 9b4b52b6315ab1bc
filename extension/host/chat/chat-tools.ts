import * as vscode from 'vscode';
import type { ImagePart, Part, ToolCallPart } from '../../engine/conversation/entry';
import type { ChatTool } from '../../models/chat-model';
import { isData } from '../provider/received-messages';
import { readSetting } from '../settings';

/** Maximum number of tools that providers accept in one request. */
const mostTools = 128;

/** The tools of the editor that a request may use: first those named in the message, then those of the settings. */
export function chatTools({ toolReferences }: vscode.ChatRequest): ChatTool[] {
  const named = new Set(toolReferences.map(({ name }) => name));
  const chosen = new Set(readSetting<string[]>('chat.tools', []));
  const offered = vscode.lm.tools.filter(({ name }) => named.has(name) || chosen.size === 0 || chosen.has(name));
  const first = offered.filter(({ name }) => named.has(name));
  const rest = offered.filter(({ name }) => !named.has(name));
  return [...first, ...rest].slice(0, mostTools).map(({ name, description, inputSchema }) => ({
    name,
    description,
    ...(inputSchema ? { inputSchema } : {}),
  }));
}

/** Runs one call. VS Code may ask the person to confirm it. A failure becomes a result that says so. */
export async function runTool(
  call: ToolCallPart,
  toolInvocationToken: vscode.ChatParticipantToolToken,
  token: vscode.CancellationToken,
): Promise<Part[]> {
  const { name, input } = call;
  if (typeof input !== 'object' || input === null) return toolFailure(call, 'Its arguments are no JSON object.');
  try {
    return toolResultParts(call, await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token));
  } catch (error) {
    return toolFailure(call, token.isCancellationRequested ? 'It was cancelled.' : error);
  }
}

/** The result of a tool of the editor as parts. */
function toolResultParts({ callId, name }: ToolCallPart, { content }: vscode.LanguageModelToolResult): Part[] {
  const text = content.map(readableText).filter(Boolean).join('\n');
  const images = content.map(imageOf).filter((image) => image !== null);
  return [{ type: 'tool_result', callId, name, text, isError: false }, ...images];
}

function toolFailure({ callId, name }: ToolCallPart, error: unknown): Part[] {
  const text = `The tool failed: ${error instanceof Error ? error.message : error}`;
  return [{ type: 'tool_result', callId, name, text, isError: true }];
}

function readableText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return textOfElement(part.value);
  if (isData(part) && !part.mimeType.startsWith('image/')) return new TextDecoder().decode(part.data);
  return '';
}

function imageOf(part: unknown): ImagePart | null {
  if (!isData(part) || !part.mimeType.startsWith('image/')) return null;
  return { type: 'image', mediaType: part.mimeType, data: Buffer.from(part.data).toString('base64') };
}

/** The text of a prompt element of `@vscode/prompt-tsx`: a tree whose leaves have `text`. */
function textOfElement(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const { node, text, children, lineBreakBefore } = value as Partial<Record<string, unknown>>;
  if (node !== undefined) return textOfElement(node);
  if (typeof text === 'string') return `${lineBreakBefore === true ? '\n' : ''}${text}`;
  return Array.isArray(children) ? children.map(textOfElement).join('') : '';
}
