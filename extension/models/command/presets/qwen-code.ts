import * as v from 'valibot';
import { type CommandAnswer, type ModelCommand, unreadable } from '../model-command';
import { jsonOf } from '../output-lines';

/** Without discovery, recording and tools. */
export const qwenCode: ModelCommand = {
  id: 'qwen',
  name: 'Qwen Code',
  program: 'qwen',
  shown: 'qwen -p',
  cheapestModel: null,
  contextWindow: 131_072,
  input: 'pipe',
  output: 'json',
  prepare: async ({ model, role }) => ({
    args: [
      ...['--bare', '--chat-recording', 'false', '-o', 'json'],
      ...['--max-session-turns', '1', '--approval-mode', 'default'],
      ...['--exclude-tools', tools.join(','), '--system-prompt', role],
      ...(model === null ? [] : ['-m', model]),
    ],
  }),
  answerOf,
};

/** The tools that it has even with `--bare`. */
const tools = ['read_file', 'notebook_edit', 'run_shell_command', 'edit', 'get_goal', 'update_goal'];

const result = v.object({
  type: v.literal('result'),
  is_error: v.boolean(),
  result: v.optional(v.string(), ''),
  error: v.optional(v.object({ message: v.string() })),
  usage: v.optional(v.object({ input_tokens: v.number(), output_tokens: v.number() })),
});

function answerOf(output: string): CommandAnswer {
  const events = jsonOf(output);
  const last = v.safeParse(result, Array.isArray(events) ? events.at(-1) : undefined);
  if (!last.success) return unreadable;
  const { is_error: isError, result: text, error, usage } = last.output;
  if (isError) return { text: '', usage: null, problem: error?.message ?? text };
  return { text, problem: null, usage: usage ? { input: usage.input_tokens, output: usage.output_tokens } : null };
}
