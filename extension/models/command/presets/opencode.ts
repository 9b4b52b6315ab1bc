import * as v from 'valibot';
import type { CommandAnswer, ModelCommand } from '../model-command';
import { jsonLines } from '../output-lines';

/** A separate agent without tools, no plugins, and a session that exists only in memory. */
export const openCode: ModelCommand = {
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  shown: 'opencode run',
  cheapestModel: null,
  contextWindow: 128_000,
  input: 'pipe',
  output: 'json',
  prepare: async ({ model, role }) => ({
    args: [
      ...['run', '--pure', '--format', 'json', '--agent', agent, '--title', agent],
      ...(model === null ? [] : ['-m', model]),
    ],
    environment: {
      OPENCODE_DB: ':memory:',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        agent: { [agent]: { mode: 'primary', prompt: role, tools: { '*': false }, permission: { '*': 'deny' } } },
        share: 'disabled',
      }),
    },
  }),
  answerOf,
};

const agent = 'strata';

const said = v.object({ type: v.literal('text'), part: v.object({ text: v.string() }) });
const finished = v.object({
  type: v.literal('step_finish'),
  part: v.object({
    tokens: v.object({
      input: v.number(),
      output: v.number(),
      cache: v.optional(v.object({ read: v.number(), write: v.number() }), { read: 0, write: 0 }),
    }),
  }),
});
const failed = v.object({
  type: v.literal('error'),
  error: v.object({ name: v.optional(v.string(), ''), data: v.optional(v.object({ message: v.string() })) }),
});

function answerOf(output: string): CommandAnswer {
  const texts: string[] = [];
  let usage: CommandAnswer['usage'] = null;
  let problem: string | null = null;
  for (const event of jsonLines(output)) {
    if (v.is(said, event)) texts.push(event.part.text);
    else if (v.is(failed, event)) problem = event.error.data?.message ?? event.error.name ?? '';
    else {
      const read = v.safeParse(finished, event);
      if (!read.success) continue;
      const { input, output: written, cache } = read.output.part.tokens;
      usage = { input: input + cache.read + cache.write, output: written };
    }
  }
  return { text: texts.join(''), usage, problem };
}
