import type { OpenAI } from 'openai';
import { type LanguageModel, sendable } from '../../engine/block/language-model';
import type { CountTokens } from '../../engine/conversation/tokens';
import { estimatedTokens } from '../capped-text';
import { Patience } from '../patience';
import { checkedEndpoint, type OpenAiOptions, openClient } from './client';
import { firstDialect } from './dialect';
import { Exchange } from './exchange';
import { type Call, named } from './failures';
import { loadSdk } from './sdk';

export interface OpenAiModelOptions extends OpenAiOptions {
  /** Counts what the server does not report. Default: an estimate. */
  readonly countTokens?: CountTokens;
}

/** Concurrent calls: a local machine has one graphics card, a service has many. */
const concurrency = { local: 1, remote: 3 };

/** A model of an OpenAI-compatible server. Throws `ModelFailed` for invalid settings. */
export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  const endpoint = checkedEndpoint(options);
  const call: Call = { access: options, request: `POST ${endpoint.baseUrl}/chat/completions` };
  let dialect = firstDialect(endpoint);
  let client: OpenAI | null = null;
  return {
    name: 'openai',
    model: options.model,
    concurrency: endpoint.isLocal ? concurrency.local : concurrency.remote,
    async complete(prompt, wanted) {
      const patience = new Patience(named(call), options, wanted.signal);
      try {
        const sdk = await loadSdk();
        client ??= openClient(sdk, endpoint, options);
        const { retries, countTokens = estimatedTokens } = options;
        const exchange = new Exchange({ sdk, client, call, patience, retries, countTokens }, sendable(prompt), wanted);
        return await exchange.completion(dialect, (learned) => {
          dialect = learned;
        });
      } finally {
        patience.dispose();
      }
    },
  };
}
