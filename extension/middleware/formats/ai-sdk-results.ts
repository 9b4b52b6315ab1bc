import type { ResultFate } from '../recognition/outgoing';
import type { ReceivedResult } from '../recognition/received';
import { type AiSdkFile, filePart } from './ai-sdk-files';
import type { AiSdkToolResult } from './ai-sdk-message';
import { type Said, said } from './content';
import { resultOf } from './results';

type Output = AiSdkToolResult['output'];

type Item = Extract<Output, { type: 'content' }>['value'][number];

/** Reads a tool result. */
export function receivedResult({ toolCallId, toolName, output }: AiSdkToolResult): ReceivedResult {
  return resultOf(toolCallId, contentOf(output), { isError: isFailure(output), name: toolName });
}

function isFailure({ type }: Output): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied';
}

function contentOf(output: Output): Said[] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return said(output.value);
    case 'json':
    case 'error-json':
      return said(jsonText(output.value));
    case 'execution-denied':
      return said(output.reason ?? 'The call was not allowed.');
    case 'content':
      return output.value.map(itemPart);
    default:
      return said(jsonText(output));
  }
}

/** Before version 7, file items had other types. */
function itemPart(item: Item | (AiSdkFile & { readonly type: string })): Said {
  if (item.type === 'text' && 'text' in item) return { type: 'text', text: item.text };
  return 'data' in item || 'url' in item ? filePart(item) : { type: 'text', text: jsonText(item) };
}

export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Applies a fate to a result. Images are kept. */
export function resultWithFate(result: AiSdkToolResult, fate: ResultFate | undefined): AiSdkToolResult[] {
  if (fate === undefined) return [result];
  return fate.kind === 'replaced' ? [] : [{ ...result, output: withText(result.output, fate.text) }];
}

function withText(output: Output, text: string): Output {
  const { providerOptions } = output as { providerOptions?: Output extends { providerOptions?: infer P } ? P : never };
  const kept = providerOptions === undefined ? {} : { providerOptions };
  if (output.type !== 'content') return { type: isFailure(output) ? 'error-text' : 'text', value: text, ...kept };
  return { ...output, value: [{ type: 'text', text }, ...output.value.filter(({ type }) => type !== 'text')] };
}
