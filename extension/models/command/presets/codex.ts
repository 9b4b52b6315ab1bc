import * as v from 'valibot';
import type { CommandAnswer, ModelCommand } from '../model-command';
import { jsonLines } from '../output-lines';

/** Without a session on disk, servers, project files and tools that change the machine. */
export const codex: ModelCommand = {
  id: 'codex',
  name: 'Codex',
  program: 'codex',
  shown: 'codex exec',
  cheapestModel: null,
  contextWindow: 272_000,
  input: 'pipe',
  output: 'json',
  async prepare({ model, role, place }) {
    const instructions = await place.write('instructions.md', role);
    const settings = [
      'mcp_servers={}',
      'project_doc_max_bytes=0',
      'web_search="disabled"',
      'model_reasoning_effort="low"',
      `model_instructions_file=${JSON.stringify(instructions)}`,
    ];
    const without = ['shell_tool', 'unified_exec', 'multi_agent', 'goals'];
    return {
      args: [
        ...['exec', '--ephemeral', '--skip-git-repo-check', '--sandbox', 'read-only', '--color', 'never', '--json'],
        ...settings.flatMap((setting) => ['-c', setting]),
        ...without.flatMap((feature) => ['--disable', feature]),
        ...(model === null ? [] : ['-m', model]),
        '-',
      ],
    };
  },
  answerOf,
};

const message = v.object({
  type: v.literal('item.completed'),
  item: v.object({ type: v.literal('agent_message'), text: v.string() }),
});
const completed = v.object({
  type: v.literal('turn.completed'),
  usage: v.object({ input_tokens: v.number(), output_tokens: v.number() }),
});
const failed = v.union([
  v.object({ type: v.literal('turn.failed'), error: v.object({ message: v.string() }) }),
  v.object({ type: v.literal('error'), message: v.string() }),
]);

function answerOf(output: string): CommandAnswer {
  let answer: CommandAnswer = { text: '', usage: null, problem: null };
  for (const event of jsonLines(output)) {
    if (v.is(message, event)) answer = { ...answer, text: event.item.text, problem: null };
    else if (v.is(completed, event)) {
      answer = { ...answer, usage: { input: event.usage.input_tokens, output: event.usage.output_tokens } };
    } else if (v.is(failed, event)) {
      answer = { ...answer, problem: 'error' in event ? event.error.message : event.message };
    }
  }
  return answer;
}
