import type { ImagePart } from '../../engine/conversation/entry';
import type { ResultFate } from '../recognition/outgoing';
import type { ReceivedResult } from '../recognition/received';
import { type AiSdkFile, filePart } from './ai-sdk-files';
import type { AiSdkToolResult } from './ai-sdk-message';

type Output = AiSdkToolResult['output'];

type Item = Extract<Output, { type: 'content' }>['value'][number];

/** Reads a tool result. */
export function receivedResult({ toolCallId, toolName, output }: AiSdkToolResult): ReceivedResult {
  const { text, images } = contentOf(output);
  return { type: 'tool_result', callId: toolCallId, name: toolName, text, isError: isFailure(output), images };
}

function isFailure({ type }: Output): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied';
}

function contentOf(output: Output): { readonly text: string; readonly images: readonly ImagePart[] } {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { text: output.value, images: [] };
    case 'json':
    case 'error-json':
      return { text: jsonText(output.value), images: [] };
    case 'execution-denied':
      return { text: output.reason ?? 'The call was not allowed.', images: [] };
    case 'content':
      return contentOfItems(output.value.map(itemPart));
    default:
      return { text: jsonText(output), images: [] };
  }
}

function contentOfItems(parts: readonly ReturnType<typeof itemPart>[]) {
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: parts.filter((part) => part.type === 'image'),
  };
}

/** Before version 7, file items had other types. */
function itemPart(item: Item | (AiSdkFile & { readonly type: string })): ReturnType<typeof filePart> {
  if (item.type === 'text' && 'text' in item) return { type: 'text', text: item.text };
  return 'data' in item || 'url' in item ? filePart(item) : { type: 'text', text: jsonText(item) };
}

export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Applies a fate to a result. Images are kept. */
export function resultWithFate(result: AiSdkToolResult, fate: ResultFate | undefined): AiSdkToolResult[] {
  if (fate === undefined) return [result];
  return fate.kind === 'beneath' ? [] : [{ ...result, output: withText(result.output, fate.text) }];
}

function withText(output: Output, text: string): Output {
  const { providerOptions } = output as { providerOptions?: Output extends { providerOptions?: infer P } ? P : never };
  const kept = providerOptions === undefined ? {} : { providerOptions };
  if (output.type !== 'content') return { type: isFailure(output) ? 'error-text' : 'text', value: text, ...kept };
  return { ...output, value: [{ type: 'text', text }, ...output.value.filter(({ type }) => type !== 'text')] };
}
