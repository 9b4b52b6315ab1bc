import type { OpenAI } from 'openai';
import { ModelFailed } from '../../engine/block/language-model';
import { localizable } from '../../engine/wording/localizable-text';
import { type Endpoint, endpointOf } from './endpoint';
import type { OpenAiAccess } from './environment';
import { guardedFetch } from './guarded-fetch';
import type { Sdk } from './sdk';

export interface OpenAiOptions extends OpenAiAccess {
  /** Maximum duration of a call in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum silence once an answer has begun, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Number of retries after temporary failures. */
  readonly retries: number;
  /** Sends the requests. Default: the global one. */
  readonly fetch?: typeof fetch;
}

export const openAiDefaults = { timeoutMs: 180_000, idleTimeoutMs: 60_000, retries: 2 };

/** Maximum wait that a server may ask for, in milliseconds. A longer one may mean tomorrow. */
const longestWait = 60_000;

/** The client library requires a key; servers that need none ignore it. */
const noKey = 'none';

export function checkedEndpoint({ baseUrl, model }: OpenAiAccess): Endpoint {
  if (model.trim() === '')
    throw new ModelFailed('misconfigured', localizable('No model is set for the OpenAI-compatible server.'));
  return endpointOf(baseUrl);
}

/** Reads nothing from the environment, logs nothing, and connects only to the endpoint. */
export function openClient(
  { OpenAI }: Sdk,
  endpoint: Endpoint,
  options: Pick<OpenAiOptions, 'apiKey' | 'retries' | 'timeoutMs' | 'fetch'>,
  longestResponse?: number,
): OpenAI {
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    apiKey: options.apiKey ?? noKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: options.retries,
    timeout: options.timeoutMs,
    logLevel: 'off',
    fetch: guardedFetch(Math.min(longestWait, options.timeoutMs), longestResponse, options.fetch),
    dangerouslyAllowBrowser: true,
  });
}
