import * as v from 'valibot';
import type { ToolsOutcome } from '../../conversations/compaction/settings';
import { type LanguageModel, ModelFailed } from '../../engine/block/language-model';
import type { WritingTools } from '../../engine/block/strategy';
import { commandDefaults, commandModel } from '../../models/command/command-model';
import { commandWindow } from '../../models/command/command-window';
import { commandNamed } from '../../models/command/presets';
import { upstreamFetch } from '../../models/http/upstream-fetch';
import { openAiDefaults } from '../../models/openai/client';
import { endpointOf } from '../../models/openai/endpoint';
import { openAiAccess } from '../../models/openai/environment';
import { openAiModel } from '../../models/openai/openai-model';
import { priceOf, type TokenPrice } from '../../models/prices';
import { contextWindowOf } from '../../sessions/model-windows';
import { modelSummarizer } from '../../summarizers/model/model-summarizer';
import { assumedModelWindow, promptRoom } from '../../summarizers/model/room';
import { toolsWithoutModel } from '../../summarizers/without-model';
import type { ChosenWriter } from '../writer';

/** The chosen writer, for programs that run without the editor. It contains no keys: they come from the environment. */
export const writerShape = v.variant('kind', [
  v.object({ kind: v.literal('unanswered') }),
  v.object({ kind: v.literal('nobody') }),
  v.object({
    kind: v.literal('command'),
    agent: v.string(),
    line: v.array(v.string()),
    model: v.string(),
    timeoutMs: v.number(),
    contextWindow: v.number(),
  }),
  v.object({
    kind: v.literal('openai'),
    baseUrl: v.string(),
    model: v.string(),
    timeoutMs: v.number(),
    contextWindow: v.number(),
  }),
  /** Only the editor can use it. */
  v.object({ kind: v.literal('editor'), message: v.string() }),
]);

export type WrittenWriter = v.InferOutput<typeof writerShape>;

export function writerOf(written: WrittenWriter, environment: NodeJS.ProcessEnv = process.env): ChosenWriter {
  if (written.kind === 'unanswered' || written.kind === 'nobody') return { kind: written.kind };
  return { kind: 'model', tools: async () => toolsOf(written, environment) };
}

function toolsOf(
  written: Exclude<WrittenWriter, { readonly kind: 'unanswered' | 'nobody' }>,
  environment: NodeJS.ProcessEnv,
): ToolsOutcome {
  if (written.kind === 'editor') return { kind: 'refused', message: written.message };
  try {
    return { kind: 'ready', tools: toolsWith(openWriter(written, environment)) };
  } catch (error) {
    if (error instanceof ModelFailed) return { kind: 'refused', message: error.message };
    throw error;
  }
}

export function toolsWith({ model, maxPromptTokens }: Omit<OpenedWriter, 'price'>): WritingTools {
  return { ...toolsWithoutModel, summarizer: modelSummarizer(model, { maxPromptTokens }), model };
}

/** A writer that programs without the editor can use. */
export type UsableWriter = Extract<WrittenWriter, { readonly kind: 'command' | 'openai' }>;

export interface OpenedWriter {
  readonly model: LanguageModel;
  readonly maxPromptTokens: number;
  /** Null if it is not listed. */
  readonly price: TokenPrice | null;
}

/** Throws `ModelFailed` if it is incomplete. */
export function openWriter(written: UsableWriter, environment: NodeJS.ProcessEnv = process.env): OpenedWriter {
  return written.kind === 'command' ? byCommand(written) : byServer(written, environment);
}

function byCommand(written: Extract<WrittenWriter, { readonly kind: 'command' }>): OpenedWriter {
  const { agent, line, model, timeoutMs, contextWindow } = written;
  const command = commandNamed(agent, line);
  const asked = model === '' ? null : model;
  const window = contextWindow || commandWindow(command, asked, contextWindowOf) || assumedModelWindow;
  return {
    model: commandModel({ ...commandDefaults, timeoutMs, command, model: asked }),
    maxPromptTokens: promptRoom(window),
    price: priceOf(asked ?? command.cheapestModel),
  };
}

function byServer(
  { baseUrl, model, timeoutMs, contextWindow }: Extract<WrittenWriter, { readonly kind: 'openai' }>,
  environment: NodeJS.ProcessEnv,
): OpenedWriter {
  const access = openAiAccess({ baseUrl, model }, environment);
  const window = contextWindow || contextWindowOf(access.model) || assumedModelWindow;
  return {
    model: openAiModel({ ...openAiDefaults, ...access, timeoutMs, fetch: upstreamFetch }),
    maxPromptTokens: promptRoom(window),
    price: endpointOf(access.baseUrl).isLocal ? null : priceOf(access.model),
  };
}
