import { type Command, Option } from 'commander';
import { parseArgsStringToArgv } from 'string-argv';
import { ModelFailed } from '../engine/block/language-model';
import type { WritingTools } from '../engine/block/strategy';
import { commandDefaults, commandModel } from '../models/command/command-model';
import { agentWindow, customCommand, customId, presets } from '../models/command/presets';
import { openAiDefaults } from '../models/openai/client';
import { openAiAccess } from '../models/openai/environment';
import { openAiModel } from '../models/openai/openai-model';
import { contextWindowOf } from '../sessions/model-windows';
import { modelSummarizer } from '../summarizers/model/model-summarizer';
import { assumedModelWindow, promptRoom } from '../summarizers/model/room';
import { toolsWithoutModel } from '../summarizers/without-model';
import { CommandFailed } from './command-failed';

export const summarizerKinds = ['extractive', 'command', 'openai'] as const;

export interface SummarizerOptions {
  readonly summarizer: (typeof summarizerKinds)[number];
  /** Id of a preset, or a line of the person's own. */
  readonly command?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly modelWindow?: string;
  readonly modelTimeout?: string;
}

/** Adds the options that choose the summarizer. The key has none: shell histories and process lists show options. */
export function summarizerOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--summarizer <kind>',
        'who writes the summaries; "command" is a program on this machine, such as an agent; "openai" is any OpenAI-compatible server',
      )
        .choices(summarizerKinds)
        .default('extractive'),
    )
    .option('--command <name>', `${presets.map(({ id }) => id).join(', ')}; or a program with its arguments`)
    .option('--model <name>', 'model of the command, or of the server (or STRATA_OPENAI_MODEL)')
    .option('--base-url <url>', 'address of the server, with /v1 (or STRATA_OPENAI_BASE_URL)')
    .option('--model-window <tokens>', 'context window of the model')
    .option('--model-timeout <seconds>', 'time limit for one model call');
}

/** Throws `CommandFailed` for options that contradict each other or have a wrong value. */
export function writingToolsFrom(
  options: SummarizerOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): WritingTools {
  if (options.summarizer === 'openai') return openAiTools(options, environment);
  if (options.summarizer === 'command' || options.command !== undefined) return commandTools(options);
  if (options.model !== undefined || options.baseUrl !== undefined) {
    throw new CommandFailed('--model and --base-url need --summarizer openai', true);
  }
  return toolsWithoutModel;
}

/** A word alone is the id of a preset, or a program. */
function commandTools({ command: line = '', model, ...options }: SummarizerOptions): WritingTools {
  const words = parseArgsStringToArgv(line);
  if (words.length === 0) {
    throw new CommandFailed(
      `--summarizer command needs --command: ${presets.map(({ id }) => id).join(', ')}, or a program`,
      true,
    );
  }
  const command = presets.find(({ id }) => id === line.trim()) ?? customCommand(words);
  const timeoutMs = timeLimit(options, commandDefaults.timeoutMs);
  const asked = commandModel({ ...commandDefaults, timeoutMs, command, model: model ?? null });
  const usual = command.id === customId ? assumedModelWindow : agentWindow;
  const maxPromptTokens = promptRoom(positive('--model-window', options.modelWindow) ?? usual);
  return { ...toolsWithoutModel, summarizer: modelSummarizer(asked, { maxPromptTokens }), model: asked };
}

function openAiTools(
  options: SummarizerOptions,
  environment: Readonly<Record<string, string | undefined>>,
): WritingTools {
  try {
    const access = openAiAccess(options, environment);
    const timeoutMs = timeLimit(options, openAiDefaults.timeoutMs);
    const model = openAiModel({ ...openAiDefaults, ...access, timeoutMs });
    const window = positive('--model-window', options.modelWindow) ?? contextWindowOf(access.model);
    const maxPromptTokens = promptRoom(window ?? assumedModelWindow);
    return { ...toolsWithoutModel, summarizer: modelSummarizer(model, { maxPromptTokens }), model };
  } catch (error) {
    if (error instanceof ModelFailed) throw new CommandFailed(`${error.message} See --model and --base-url.`, true);
    throw error;
  }
}

/** In milliseconds. */
function timeLimit({ modelTimeout }: Pick<SummarizerOptions, 'modelTimeout'>, usual: number): number {
  const seconds = positive('--model-timeout', modelTimeout);
  return seconds === null ? usual : seconds * 1000;
}

function positive(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new CommandFailed(`${option} must be a whole number above 0, not "${text}"`, true);
}
