import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import type { OpenAiAccess } from './environment';
import { ResponseTooLong, waitAsked } from './guarded-fetch';
import type { Sdk } from './sdk';

/** A call as named in failures: method and address, without the key. */
export interface Call {
  readonly access: OpenAiAccess;
  /** `POST http://127.0.0.1:11434/v1/chat/completions` */
  readonly request: string;
}

/** Converts any error to a `ModelFailed` that names the call and quotes the server. */
export function failureOf(error: unknown, call: Call, sdk: Sdk): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const { kind, why } = described(error, sdk);
  return new ModelFailed(kind, withoutKey(`${named(call)} ${why}`, call.access), { cause: withoutSecrets(error) });
}

export function failed(kind: ModelFailure, call: Call, why: string): ModelFailed {
  return new ModelFailed(kind, withoutKey(`${named(call)} ${why}`, call.access));
}

export function named({ access, request }: Call): string {
  return `${request} (model ${access.model})`;
}

interface Described {
  readonly kind: ModelFailure;
  readonly why: string;
}

function described(error: unknown, sdk: Sdk): Described {
  if (error instanceof sdk.APIConnectionTimeoutError) return { kind: 'timeout', why: 'gave no answer in time.' };
  if (error instanceof sdk.APIConnectionError) return { kind: 'unavailable', why: unreachable(error) };
  if (error instanceof sdk.APIError) return error.status === undefined ? inStream(error) : byStatus(error);
  if (error instanceof SyntaxError) return { kind: 'broken-answer', why: 'sent something that is no JSON.' };
  if (error instanceof ResponseTooLong) return { kind: 'broken-answer', why: `was given up. ${error.message}` };
  return { kind: 'unavailable', why: `broke off in the middle of its answer: ${oneLine(rootMessage(error))}` };
}

function unreachable(error: Error): string {
  return `could not be reached: ${oneLine(rootMessage(error))}`;
}

/** The innermost cause is the most precise: `connect ECONNREFUSED 127.0.0.1:1234` instead of `fetch failed`. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootMessage(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message || code || error.name;
}

type ApiError = InstanceType<Sdk['APIError']>;

function inStream(error: ApiError): Described {
  return { kind: 'unavailable', why: `reported a failure in the middle of its answer${saying(error)}` };
}

function byStatus(error: ApiError): Described {
  const status = error.status ?? 0;
  const why = (hint: string) => `failed with status ${status}${saying(error)}${hint}`;
  if (status >= 300 && status < 400) return { kind: 'misconfigured', why: redirected(error) };
  if (status === 401) return { kind: 'misconfigured', why: why(' Is the API key set, and right?') };
  if (status === 403) return { kind: 'refused', why: why('') };
  if (status === 404) {
    return { kind: 'misconfigured', why: why(' Is the model’s name right, and does the base URL end in /v1?') };
  }
  if (status === 429) return { kind: 'rate-limited', why: why(waiting(error)) };
  if (status === 408 || status === 504) return { kind: 'timeout', why: why('') };
  if (status >= 500) return { kind: 'unavailable', why: why('') };
  if (isTooLong(error)) return { kind: 'misconfigured', why: why(' Set the context window of the model lower.') };
  return { kind: 'refused', why: why('') };
}

function redirected({ status, headers }: ApiError): string {
  const target = headers?.get('location') ?? 'another address';
  return `is redirected (status ${status}) to ${oneLine(target)}. Strata follows no redirects; set the base URL to the right address.`;
}

function waiting({ headers }: ApiError): string {
  const wait = headers ? waitAsked(headers) : 0;
  return wait > 0 ? ` The server asks to wait ${Math.ceil(wait / 1000)} s.` : '';
}

function isTooLong({ status, message }: ApiError): boolean {
  return status === 413 || /context.{0,20}(?:length|window|size)|too many tokens|too long/i.test(message);
}

/** The server's own message, if any. */
function saying(error: ApiError): string {
  const words = oneLine(wordsOf(error));
  return words === '' ? '.' : `: ${words.replace(/[.!?]*$/, '')}.`;
}

const noBody = 'status code (no body)';

/** An HTML page is no message. */
function wordsOf(error: ApiError): string {
  const message = error.message.replace(/^\d{3} /, '');
  return message.includes(noBody) || /^\s*<(?:!doctype|html|head|body)/i.test(message) ? '' : message;
}

const longestWords = 240;

export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= longestWords ? line : `${line.slice(0, longestWords)}…`;
}

const shortestKey = 4;

/** Some servers repeat the key that they refuse. */
function withoutKey(text: string, { apiKey }: OpenAiAccess): string {
  return apiKey !== null && apiKey.length >= shortestKey ? text.replaceAll(apiKey, '•••') : text;
}

/** The client's errors contain headers and bodies, so only the name is kept as the cause. */
function withoutSecrets(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
