/**
 * Models of an OpenAI-compatible server. It is separate from `strata-context`, so that a program loads the client
 * library only if it uses this entry.
 *
 * @module strata-context/openai
 */
import type { Embedder, LanguageModel } from '../engine/block/language-model';
import { openAiDefaults } from '../models/openai/client';
import { openAiBaseUrl } from '../models/openai/environment';
import { openAiEmbedder as embedderWith } from '../models/openai/openai-embedder';
import { openAiModel as modelWith } from '../models/openai/openai-model';

export type { Embedder, LanguageModel };

export interface OpenAiServer {
  readonly model: string;
  /** Absent: OpenAI's own. */
  readonly baseUrl?: string;
  /** Absent for a server that requires none. Nothing is taken from the environment. */
  readonly apiKey?: string;
  /** Maximum duration of a call; absent: three minutes. */
  readonly timeoutMs?: number;
  /** Maximum silence once an answer has begun; absent: one minute. */
  readonly idleTimeoutMs?: number;
  /** Number of retries after temporary failures; absent: 2. */
  readonly retries?: number;
}

/** A model for `createContext`. Throws `ModelFailed` if the settings are invalid. */
export function openAiModel(server: OpenAiServer): LanguageModel {
  return modelWith(complete(server));
}

/** An embedder for `createContext`. Throws `ModelFailed` if the settings are invalid. */
export function openAiEmbedder(server: OpenAiServer): Embedder {
  return embedderWith(complete(server));
}

function complete({ apiKey = undefined, ...server }: OpenAiServer) {
  return { baseUrl: openAiBaseUrl, ...openAiDefaults, ...server, apiKey: apiKey ?? null };
}
