import { join } from 'node:path';
import * as v from 'valibot';
import type { CommandAnswer, ModelCommand } from '../model-command';
import { jsonLines } from '../output-lines';
import { homeOf } from '../workplace';

/** It always stores its session, so it gets a data folder for this run only, with the settings of its providers. */
export const cline: ModelCommand = {
  id: 'cline',
  name: 'Cline',
  program: 'cline',
  shown: 'cline --json',
  cheapestModel: null,
  contextWindow: 128_000,
  input: 'named-pipe',
  output: 'json',
  async prepare({ model, role, place }) {
    await place.borrow(join(homeOf('CLINE_DIR', '.cline'), 'data', 'settings'), ['providers.json'], 'settings');
    return {
      args: [
        ...['--json', '--plan', '--auto-approve', 'false', '--compaction', 'off', '--data-dir', place.home],
        ...['-s', role],
        ...(model === null ? [] : ['-m', model]),
        'Answer the request on standard input.',
      ],
    };
  },
  answerOf,
};

const result = v.object({
  type: v.literal('run_result'),
  usage: v.optional(v.object({ inputTokens: v.number(), outputTokens: v.number() })),
});
const done = v.object({
  type: v.literal('agent_event'),
  event: v.object({ type: v.literal('done'), reason: v.string(), text: v.optional(v.string(), '') }),
});
const failed = v.object({ type: v.literal('error'), message: v.string() });

function answerOf(output: string): CommandAnswer {
  let answer: CommandAnswer = { text: '', usage: null, problem: null };
  for (const event of jsonLines(output)) {
    if (v.is(failed, event)) answer = { ...answer, problem: event.message };
    else if (v.is(done, event)) {
      const { reason, text = '' } = event.event;
      answer = { ...answer, text, problem: reason === 'completed' ? null : reason };
    } else if (v.is(result, event) && event.usage) {
      answer = { ...answer, usage: { input: event.usage.inputTokens, output: event.usage.outputTokens } };
    }
  }
  return answer;
}
