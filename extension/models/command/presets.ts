import { basename } from 'node:path';
import { ModelFailed } from '../../engine/block/language-model';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { type ModelCommand, plainAnswer } from './model-command';
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

/** Id of the person's own command. */
export const customId = 'custom';

/** The command with this id, or the person's own command line. Throws `ModelFailed` if there is none. */
export function commandNamed(id: string, line: readonly string[]): ModelCommand {
  const preset = presets.find((known) => known.id === id);
  if (preset) return preset;
  if (id !== customId) throw new ModelFailed('misconfigured', unknownCommand(id));
  if (line.length === 0) {
    throw new ModelFailed(
      'misconfigured',
      localizable('No command is chosen: a program and its arguments are needed.'),
    );
  }
  return customCommand(line);
}

function unknownCommand(id: string): LocalizableText {
  const known = [...presets.map((preset) => preset.id), customId].join(', ');
  return id === ''
    ? localizable('No command is chosen. The commands are: {0}.', known)
    : localizable('There is no command "{0}". The commands are: {1}.', id, known);
}

/**
 * The person's own command line: a program, which may be an agent's, and its arguments. It gets the prompt on standard input and writes the
 * answer.
 */
export function customCommand([program = '', ...args]: readonly string[]): ModelCommand {
  return {
    id: customId,
    name: program,
    program,
    shown: [program, ...args].join(' '),
    cheapestModel: null,
    contextWindow: presets.find((preset) => preset.program === basename(program, '.exe'))?.contextWindow ?? null,
    input: 'pipe',
    output: 'text',
    prepare: async () => ({ args }),
    answerOf: plainAnswer,
  };
}
