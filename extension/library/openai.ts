/**
 * Models of an OpenAI-compatible server. It is an entry apart from `strata-context`, so that the client library is only taken in where it is
 * used.
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
  /** Absent for a server that asks for none. Nothing is taken from the environment. */
  readonly apiKey?: string;
  /** The longest a call may take in all; absent: three minutes. */
  readonly timeoutMs?: number;
  /** The longest silence once an answer has begun; absent: one minute. */
  readonly idleTimeoutMs?: number;
  /** How often a call is tried again that failed for a reason that passes; absent: 2. */
  readonly retries?: number;
}

/** A model for `createContext`. Throws `ModelFailed` where the settings cannot be right. */
export function openAiModel(server: OpenAiServer): LanguageModel {
  return modelWith(complete(server));
}

/** An embedder for `createContext`. Throws `ModelFailed` where the settings cannot be right. */
export function openAiEmbedder(server: OpenAiServer): Embedder {
  return embedderWith(complete(server));
}

function complete({ apiKey = undefined, ...server }: OpenAiServer) {
  return { baseUrl: openAiBaseUrl, ...openAiDefaults, ...server, apiKey: apiKey ?? null };
}
