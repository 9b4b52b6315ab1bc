import * as vscode from 'vscode';
import type { ImagePart, Part, ToolCallPart } from '../../engine/conversation/entry';

/** The result of a tool of the editor as parts. */
export function toolResultParts({ callId, name }: ToolCallPart, { content }: vscode.LanguageModelToolResult): Part[] {
  const text = content.map(readableText).filter(Boolean).join('\n');
  const images = content.map(imageOf).filter((image) => image !== null);
  return [{ type: 'tool_result', callId, name, text, isError: false }, ...images];
}

export function toolFailure({ callId, name }: ToolCallPart, error: unknown): Part[] {
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

interface Data {
  readonly mimeType: string;
  readonly data: Uint8Array;
}

/** The class came into the API after the oldest VS Code that Strata runs in. */
function isData(part: unknown): part is Data {
  if (typeof part !== 'object' || part === null) return false;
  const { mimeType, data } = part as Partial<Record<keyof Data, unknown>>;
  return typeof mimeType === 'string' && data instanceof Uint8Array;
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
