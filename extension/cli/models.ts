import { type Command, Option } from 'commander';
import { parseArgsStringToArgv } from 'string-argv';
import { type LanguageModel, ModelFailed } from '../engine/block/language-model';
import type { WritingTools } from '../engine/block/strategy';
import { type OpenedWriter, openWriter, toolsWith } from '../inside/service/writer';
import { commandDefaults } from '../models/command/command-model';
import { customId, presets } from '../models/command/presets';
import { openAiDefaults } from '../models/openai/client';
import { toolsWithoutModel } from '../summarizers/without-model';
import { CommandFailed } from './command-failed';
import { positive } from './commands/option-values';

const summarizerKinds = ['none', 'command', 'openai'] as const;

export interface SummarizerOptions {
  /** Absent: no model writes, unless the person on the terminal chooses one. */
  readonly summarizer?: (typeof summarizerKinds)[number];
  /** Id of a preset, or a command line of the person's own. */
  readonly command?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly modelWindow?: number;
  readonly modelTimeout?: number;
}

/** Adds the options that choose the summarizer. There is none for the key, because shell histories and process lists show options. */
export function summarizerOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--summarizer <kind>',
        'who writes the summaries, by default "none"; "command" is a program on this machine, such as an agent; "openai" is any OpenAI-compatible server',
      ).choices(summarizerKinds),
    )
    .option('--command <name>', `${presets.map(({ id }) => id).join(', ')}; or a program with its arguments`)
    .option('--model <name>', 'model of the command, or of the server (or STRATA_OPENAI_MODEL)')
    .option('--base-url <url>', 'address of the server, with /v1 (or STRATA_OPENAI_BASE_URL)')
    .option('--model-window <tokens>', 'context window of the model', positive)
    .option('--model-timeout <seconds>', 'time limit for one model call', positive);
}

/** Throws `CommandFailed` for options that contradict each other or have a wrong value. `around` wraps the model. */
export function writingToolsFrom(
  options: SummarizerOptions,
  around: (model: LanguageModel) => LanguageModel = (model) => model,
): WritingTools {
  const chosen = chosenModel(options);
  return chosen === null ? toolsWithoutModel : toolsWith({ ...chosen, model: around(chosen.model) });
}

/** The model of a command that cannot do without one. Throws `CommandFailed` if none is chosen. */
export function modelFrom(options: SummarizerOptions): OpenedWriter {
  const chosen = chosenModel(options);
  if (chosen !== null) return chosen;
  throw new CommandFailed(`choose the model: ${modelHint}`, true);
}

/** Text that explains how to choose a model on the command line. */
export const modelHint = '--command with an agent or a program, or --summarizer openai with --model and --base-url';

/** Whether the options say who writes. */
export function namesWriter({ summarizer, command, model, baseUrl }: SummarizerOptions): boolean {
  return [summarizer, command, model, baseUrl].some((named) => named !== undefined);
}

/** Null if no model writes. */
export function chosenModel(options: SummarizerOptions): OpenedWriter | null {
  if (options.summarizer === 'openai') return serverModel(options);
  if (options.summarizer === 'command' || options.command !== undefined) return programModel(options);
  if (options.model !== undefined || options.baseUrl !== undefined) {
    throw new CommandFailed('--model and --base-url need --summarizer openai', true);
  }
  return null;
}

/** A word alone is the id of a preset, or a program. */
function programModel({ command: line = '', model = '', ...options }: SummarizerOptions): OpenedWriter {
  const words = parseArgsStringToArgv(line);
  if (words.length === 0) {
    throw new CommandFailed(
      `--summarizer command needs --command: ${presets.map(({ id }) => id).join(', ')}, or a program`,
      true,
    );
  }
  const agent = presets.find(({ id }) => id === line.trim())?.id ?? customId;
  return openWriter({ kind: 'command', agent, line: words, model, ...limits(options, commandDefaults.timeoutMs) });
}

function serverModel({ baseUrl = '', model = '', ...options }: SummarizerOptions): OpenedWriter {
  try {
    return openWriter({ kind: 'openai', baseUrl, model, ...limits(options, openAiDefaults.timeoutMs) });
  } catch (error) {
    if (error instanceof ModelFailed) throw new CommandFailed(`${error.message} See --model and --base-url.`, true);
    throw error;
  }
}

/** `contextWindow`: 0 for the usual one of the model. */
function limits({ modelTimeout, modelWindow }: SummarizerOptions, usualTimeoutMs: number) {
  const timeoutMs = modelTimeout === undefined ? usualTimeoutMs : modelTimeout * 1000;
  return { timeoutMs, contextWindow: modelWindow ?? 0 };
}
