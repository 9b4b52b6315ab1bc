import type { ImagePart, Part, Usage } from '../../../engine/conversation/entry';
import type * as s from '../../../platform/json/schemas';
import { shownInput } from '../../../sessions/records/tool-input';
import { resultParts } from '../../../sessions/records/tool-result';
import { reportedUsage } from '../../../sessions/records/usage';
import type * as records from './records';

/** The pictures of a session by the ids under which its events refer to them. */
type Assets = ReadonlyMap<string, string>;

/** The text of one user message: the person's words, and what Copilot adds around them when it sends them (the time, mentioned files). */
interface UserPieces {
  readonly before: string;
  readonly person: string;
  readonly after: string;
}

export function userPieces({ content, transformedContent }: s.Read<typeof records.userMessage>): UserPieces {
  const sent = transformedContent ?? content;
  const at = content === '' ? -1 : sent.lastIndexOf(content);
  if (at < 0) return { before: '', person: sent, after: '' };
  return { before: sent.slice(0, at), person: content, after: sent.slice(at + content.length) };
}

export function images(
  list: readonly { readonly mimeType: string | null; readonly data: string | null; readonly assetId: string | null }[],
  assets: Assets,
): ImagePart[] {
  return list
    .filter(({ mimeType }) => mimeType?.startsWith('image/'))
    .map(({ mimeType, data, assetId }) => ({
      type: 'image',
      mediaType: mimeType ?? 'image/*',
      data: data ?? (assetId === null ? null : (assets.get(assetId) ?? null)),
    }));
}

export function replyParts(fields: s.Read<typeof records.assistantMessage>): Part[] {
  const { reasoningText, content, toolRequests } = fields;
  const calls = toolRequests.flatMap(({ toolCallId: callId, name, arguments: input }): Part[] =>
    callId === null ? [] : [{ type: 'tool_call', callId, name, input: shownInput(input ?? {}) }],
  );
  return [
    ...(reasoningText === '' ? [] : [{ type: 'reasoning' as const, text: reasoningText }]),
    ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
    ...calls,
  ];
}

export function toolResultParts(
  callId: string,
  name: string | null,
  { success, result, error }: s.Read<typeof records.toolResult>,
  assets: Assets,
): readonly Part[] {
  const text: Part = { type: 'text', text: success ? result.content : error.message };
  return resultParts({ callId, name, isError: !success }, [text, ...images(result.binaryResultsForLlm, assets)]);
}

/** A command that the person ran from Copilot's prompt, worded as Copilot sends it to the model. */
export function commandText(command: string, fields: s.Read<typeof records.toolResult>): string {
  const { success, result, error, shellExecution } = fields;
  return [
    '<user_shell_command_output>',
    `The user executed a shell command directly in their terminal (exit code ${shellExecution.exitCode ?? (success ? 0 : 1)}).`,
    '',
    'Command:',
    command,
    '',
    'Output:',
    success ? result.content : error.message,
    '</user_shell_command_output>',
  ].join('\n');
}

/** The message that Copilot sends after a compaction: the prompts so far, then the summary. */
export function summaryText(prompts: readonly string[], summary: string): string {
  return [
    'Some of the conversation history has been summarized to free up context.',
    '',
    'You were originally given instructions from a user over one or more turns. Here were the user messages:',
    ...prompts.flatMap((prompt) => ['<user_message>', prompt, '</user_message>']),
    '',
    'Here is a summary of the prior context:',
    '<summary>',
    summary,
    '</summary>',
    '',
  ].join('\n');
}

/** The input that Copilot records includes the cached part. */
export function usageOf({ usage }: s.Read<typeof records.usageRecord>): Usage | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return reportedUsage({
    input: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
  });
}
