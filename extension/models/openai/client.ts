import type { OpenAI } from 'openai';
import { ModelFailed } from '../../engine/block/language-model';
import { type Endpoint, endpointOf } from './endpoint';
import type { OpenAiAccess } from './environment';
import { guardedFetch } from './guarded-fetch';
import type { Sdk } from './sdk';

export interface OpenAiOptions extends OpenAiAccess {
  /** The longest a call may take in all, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest silence once an answer has begun, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** How often a call is tried again that failed for a reason that passes. */
  readonly retries: number;
}

export const openAiDefaults = { timeoutMs: 180_000, idleTimeoutMs: 60_000, retries: 2 };

/** A server asks for a longer wait when it means tomorrow. In milliseconds. */
const longestWait = 60_000;

/** The client library refuses to work without a key; a server that wants none does not look at it. */
const noKey = 'none';

export function checkedEndpoint({ baseUrl, model }: OpenAiAccess): Endpoint {
  if (model.trim() === '') throw new ModelFailed('misconfigured', 'No model is set for the OpenAI-compatible server.');
  return endpointOf(baseUrl);
}

/** Takes nothing from the environment, logs nothing, and goes nowhere but to the endpoint. */
export function openClient(
  { OpenAI }: Sdk,
  endpoint: Endpoint,
  options: Pick<OpenAiOptions, 'apiKey' | 'retries' | 'timeoutMs'>,
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
    fetch: guardedFetch(Math.min(longestWait, options.timeoutMs), longestResponse),
    dangerouslyAllowBrowser: true,
  });
}
