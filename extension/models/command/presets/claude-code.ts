import * as v from 'valibot';
import { type CommandAnswer, type ModelCommand, unreadable } from '../model-command';
import { jsonOf } from '../output-lines';

/** No tools, servers, project files or plugins, and no session on disk. Its sign-in stays in effect. */
export const claudeCode: ModelCommand = {
  id: 'claude',
  name: 'Claude Code',
  program: 'claude',
  shown: 'claude -p',
  cheapestModel: 'haiku',
  contextWindow: 200_000,
  input: 'pipe',
  output: 'json',
  prepare: async ({ model, role }) => ({
    args: [
      ...['-p', '--output-format', 'json', '--no-session-persistence', '--safe-mode', '--strict-mcp-config'],
      ...['--tools', '', '--system-prompt', role],
      ...(model === null ? [] : ['--model', model]),
    ],
  }),
  answerOf,
};

const result = v.object({
  result: v.string(),
  is_error: v.boolean(),
  usage: v.optional(
    v.object({
      input_tokens: v.number(),
      output_tokens: v.number(),
      cache_read_input_tokens: v.optional(v.number(), 0),
      cache_creation_input_tokens: v.optional(v.number(), 0),
    }),
  ),
});

function answerOf(output: string): CommandAnswer {
  const read = v.safeParse(result, jsonOf(output));
  if (!read.success) return unreadable;
  const { result: text, is_error: isError, usage } = read.output;
  if (isError) return { text: '', usage: null, problem: text };
  return {
    text,
    problem: null,
    usage: usage
      ? {
          input: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
          output: usage.output_tokens,
        }
      : null,
  };
}
