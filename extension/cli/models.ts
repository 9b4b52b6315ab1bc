import { type Command, Option } from 'commander';
import { parseArgsStringToArgv } from 'string-argv';
import { type LanguageModel, ModelFailed } from '../engine/block/language-model';
import type { WritingTools } from '../engine/block/strategy';
import { commandDefaults, commandModel } from '../models/command/command-model';
import { commandWindow } from '../models/command/command-window';
import { customCommand, presets } from '../models/command/presets';
import { upstreamFetch } from '../models/http/upstream-fetch';
import { openAiDefaults } from '../models/openai/client';
import { endpointOf } from '../models/openai/endpoint';
import { openAiAccess } from '../models/openai/environment';
import { openAiModel } from '../models/openai/openai-model';
import { priceOf, type TokenPrice } from '../models/prices';
import { contextWindowOf } from '../sessions/model-windows';
import { modelSummarizer } from '../summarizers/model/model-summarizer';
import { assumedModelWindow, promptRoom } from '../summarizers/model/room';
import { toolsWithoutModel } from '../summarizers/without-model';
import { CommandFailed } from './command-failed';

const summarizerKinds = ['none', 'command', 'openai'] as const;

export interface SummarizerOptions {
  /** Absent: not named, so no model writes, or the person on the terminal is asked. */
  readonly summarizer?: (typeof summarizerKinds)[number];
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
        'who writes the summaries, by default "none"; "command" is a program on this machine, such as an agent; "openai" is any OpenAI-compatible server',
      ).choices(summarizerKinds),
    )
    .option('--command <name>', `${presets.map(({ id }) => id).join(', ')}; or a program with its arguments`)
    .option('--model <name>', 'model of the command, or of the server (or STRATA_OPENAI_MODEL)')
    .option('--base-url <url>', 'address of the server, with /v1 (or STRATA_OPENAI_BASE_URL)')
    .option('--model-window <tokens>', 'context window of the model')
    .option('--model-timeout <seconds>', 'time limit for one model call');
}

/**
 * Throws `CommandFailed` for options that contradict each other or have a wrong value. `around`: what is put around the
 * model.
 */
export function writingToolsFrom(
  options: SummarizerOptions,
  around: (model: LanguageModel) => LanguageModel = (model) => model,
): WritingTools {
  return writingToolsOf(chosenModel(options), around);
}

/** `chosen`: null where no model writes. */
export function writingToolsOf(
  chosen: ChosenModel | null,
  around: (model: LanguageModel) => LanguageModel = (model) => model,
): WritingTools {
  if (chosen === null) return toolsWithoutModel;
  const { maxPromptTokens } = chosen;
  const model = around(chosen.model);
  return { ...toolsWithoutModel, summarizer: modelSummarizer(model, { maxPromptTokens }), model };
}

export interface ChosenModel {
  readonly model: LanguageModel;
  readonly maxPromptTokens: number;
  /** Null where it is not listed. */
  readonly price: TokenPrice | null;
}

/** The model of a command that cannot do without one. Throws `CommandFailed` if none is chosen. */
export function modelFrom(options: SummarizerOptions): ChosenModel {
  const chosen = chosenModel(options);
  if (chosen !== null) return chosen;
  throw new CommandFailed(`choose the model: ${modelHint}`, true);
}

/** How to choose a model on the command line. */
export const modelHint = '--command with an agent or a program, or --summarizer openai with --model and --base-url';

/** Whether the options say who writes. */
export function namesWriter({ summarizer, command, model, baseUrl }: SummarizerOptions): boolean {
  return [summarizer, command, model, baseUrl].some((named) => named !== undefined);
}

/** Null where no model writes. */
export function chosenModel(
  options: SummarizerOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ChosenModel | null {
  if (options.summarizer === 'openai') return serverModel(options, environment);
  if (options.summarizer === 'command' || options.command !== undefined) return programModel(options);
  if (options.model !== undefined || options.baseUrl !== undefined) {
    throw new CommandFailed('--model and --base-url need --summarizer openai', true);
  }
  return null;
}

/** A word alone is the id of a preset, or a program. */
function programModel({ command: line = '', model, ...options }: SummarizerOptions): ChosenModel {
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
  const usual = commandWindow(command, model ?? null, contextWindowOf) ?? assumedModelWindow;
  const maxPromptTokens = promptRoom(positive('--model-window', options.modelWindow) ?? usual);
  return { model: asked, maxPromptTokens, price: priceOf(model ?? command.cheapestModel) };
}

function serverModel(
  options: SummarizerOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ChosenModel {
  try {
    const access = openAiAccess(options, environment);
    const timeoutMs = timeLimit(options, openAiDefaults.timeoutMs);
    const model = openAiModel({ ...openAiDefaults, ...access, timeoutMs, fetch: upstreamFetch });
    const window = positive('--model-window', options.modelWindow) ?? contextWindowOf(access.model);
    const price = endpointOf(access.baseUrl).isLocal ? null : priceOf(access.model);
    return { model, maxPromptTokens: promptRoom(window ?? assumedModelWindow), price };
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
