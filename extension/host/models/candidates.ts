import type * as vscode from 'vscode';
import { type Embedder, type LanguageModel, ModelFailed } from '../../engine/block/language-model';
import { joined, type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { commandDefaults, commandModel } from '../../models/command/command-model';
import { commandWindow } from '../../models/command/command-window';
import { commandNamed } from '../../models/command/presets';
import { localEmbedder } from '../../models/embeddings/local';
import { openAiDefaults } from '../../models/openai/client';
import { openAiAccess } from '../../models/openai/environment';
import { openAiEmbedder } from '../../models/openai/openai-embedder';
import { openAiModel } from '../../models/openai/openai-model';
import { priceOf, type TokenPrice } from '../../models/prices';
import { contextWindowOf } from '../../sessions/model-windows';
import { assumedModelWindow, promptRoom } from '../../summarizers/model/room';
import { chatModels } from '../language-api';
import { commandDestination, type Destination, openAiDestination, vscodeDestination } from './destination';
import type { ModelSettings } from './model-settings';
import { vscodeModel } from './vscode-model';

/** The model in the settings, before its first call. */
export interface Candidate {
  /** Changes if the model must be opened again. Contains the key: never show or store it. */
  readonly identity: string;
  readonly destination: Destination;
  /** Maximum tokens of a prompt. */
  readonly maxPromptTokens: number;
  /** Null if it is not listed. */
  readonly price: TokenPrice | null;
  readonly open: () => LanguageModel;
  readonly embedder: () => Embedder;
  /** Whether automatic runs may call it. */
  readonly mayRunAlone: boolean;
}

/** Throws `ModelFailed` if no command is chosen. */
export function commandCandidate({ command: settings }: ModelSettings): Candidate {
  const { agent, line, model, timeoutMs, contextWindow } = settings;
  const command = commandNamed(agent, line);
  const asked = model === '' ? null : model;
  const window = contextWindow || commandWindow(command, asked, contextWindowOf) || assumedModelWindow;
  return {
    identity: JSON.stringify(['command', settings]),
    destination: commandDestination(command),
    maxPromptTokens: promptRoom(window),
    price: priceOf(asked ?? command.cheapestModel),
    open: () => commandModel({ ...commandDefaults, timeoutMs, command, model: asked }),
    embedder: () => localEmbedder,
    mayRunAlone: true,
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `ModelFailed` for invalid settings. */
export function openAiCandidate(
  { openAi }: ModelSettings,
  apiKey: string | undefined,
  environment: Environment,
): Candidate {
  const access = openAiAccess({ ...openAi, apiKey }, environment);
  const options = { ...openAiDefaults, ...access, timeoutMs: openAi.timeoutMs };
  const window = openAi.contextWindow || contextWindowOf(access.model) || assumedModelWindow;
  const { embeddingModel } = openAi;
  const destination = openAiDestination(access.baseUrl, access.model);
  return {
    identity: JSON.stringify(options),
    destination,
    maxPromptTokens: promptRoom(window),
    price: destination.isLocal ? null : priceOf(access.model),
    open: () => openAiModel(options),
    embedder: () => (embeddingModel === '' ? localEmbedder : openAiEmbedder({ ...options, model: embeddingModel })),
    mayRunAlone: true,
  };
}

/** Rejects with `ModelFailed` if VS Code does not have the model now. */
export async function vscodeCandidate(
  { vscodeModel: id }: ModelSettings,
  access: vscode.LanguageModelAccessInformation,
): Promise<Candidate> {
  const [chat] = id === '' ? [] : await chatModels({ id });
  if (!chat) throw new ModelFailed('misconfigured', notThere(id));
  return {
    identity: `vscode ${chat.id}`,
    destination: vscodeDestination(chat.id),
    maxPromptTokens: promptRoom(chat.maxInputTokens),
    // VS Code does not say what its provider charges.
    price: null,
    open: () => vscodeModel(chat),
    embedder: () => localEmbedder,
    // VS Code asks for permission only in a call that a person's action caused.
    mayRunAlone: access.canSendRequest(chat) === true,
  };
}

function notThere(id: string): LocalizableText {
  const hint = localizable('Run "Strata: Choose Summarizer…".');
  if (id === '') return joined(localizable('No model of VS Code is chosen.'), hint);
  return joined(localizable('VS Code has no model "{0}" at the moment.', id), hint);
}
