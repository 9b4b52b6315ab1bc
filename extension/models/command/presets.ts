import type { ModelCommand } from './model-command';
import { plainAnswer } from './model-command';
import { claudeCode } from './presets/claude-code';
import { cline } from './presets/cline';
import { codex } from './presets/codex';
import { copilot } from './presets/copilot';
import { geminiCli } from './presets/gemini-cli';
import { openCode } from './presets/opencode';
import { pi } from './presets/pi';
import { qwenCode } from './presets/qwen-code';

/** Programs of agents that answer a single prompt. Most people who have an agent are signed in to one of them. */
export const presets: readonly ModelCommand[] = [claudeCode, codex, openCode, geminiCli, qwenCode, pi, cline, copilot];

export function presetOf(id: string): ModelCommand | undefined {
  return presets.find((preset) => preset.id === id);
}

/** A line of the person's own: a program and its arguments. It gets the prompt on standard input and writes the answer. */
export function customCommand([program = '', ...args]: readonly string[]): ModelCommand {
  return {
    id: 'custom',
    name: program,
    program,
    shown: [program, ...args].join(' '),
    cheapestModel: null,
    input: 'pipe',
    output: 'text',
    prepare: async () => ({ args, environment: {} }),
    answerOf: plainAnswer,
  };
}
