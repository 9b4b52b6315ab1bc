import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import { joined, type LocalizableText, localizable, withValues } from '../../engine/wording/localizable-text';
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
  const { kind, text } = described(error, named(call), sdk);
  return new ModelFailed(kind, withoutKey(text, call.access), { cause: withoutSecrets(error) });
}

/** A failure with a text that names the call. */
export function failed(kind: ModelFailure, { access }: Call, text: LocalizableText): ModelFailed {
  return new ModelFailed(kind, withoutKey(text, access));
}

/** The answer was declined, so there is none. */
export function declined(call: Call): ModelFailed {
  return failed('refused', call, localizable('{0} was declined by the model or its content filter.', named(call)));
}

export function incomplete(call: Call): ModelFailed {
  return failed('unavailable', call, localizable('{0} ended before its answer was complete.', named(call)));
}

export function onlyReasoned(call: Call): ModelFailed {
  const text = localizable('{0} spent all of its tokens on reasoning and gave no answer.', named(call));
  return failed('broken-answer', call, text);
}

export function named({ access, request }: Call): LocalizableText {
  return localizable('{0} (model {1})', request, access.model);
}

interface Described {
  readonly kind: ModelFailure;
  readonly text: LocalizableText;
}

function described(error: unknown, call: LocalizableText, sdk: Sdk): Described {
  if (error instanceof sdk.APIConnectionTimeoutError) {
    return { kind: 'timeout', text: localizable('{0} gave no answer in time.', call) };
  }
  if (error instanceof sdk.APIConnectionError) return { kind: 'unavailable', text: unreachable(error, call) };
  if (error instanceof sdk.APIError) {
    return error.status === undefined ? inStream(error, call) : byStatus(error, call);
  }
  if (error instanceof SyntaxError) {
    return { kind: 'broken-answer', text: localizable('{0} sent something that is not JSON.', call) };
  }
  if (error instanceof ResponseTooLong) {
    return { kind: 'broken-answer', text: localizable('{0} was stopped. {1}', call, error.wording) };
  }
  const reason = oneLine(rootMessage(error));
  return { kind: 'unavailable', text: localizable('{0} failed in the middle of its answer: {1}', call, reason) };
}

function unreachable(error: Error, call: LocalizableText): LocalizableText {
  return localizable('{0} could not be reached: {1}', call, oneLine(rootMessage(error)));
}

/** The innermost cause is the most precise: `connect ECONNREFUSED 127.0.0.1:1234` instead of `fetch failed`. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootMessage(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message || code || error.name;
}

type ApiError = InstanceType<Sdk['APIError']>;

function inStream(error: ApiError, call: LocalizableText): Described {
  const said = saidBy(error);
  const text =
    said === ''
      ? localizable('{0} reported a failure in the middle of its answer.', call)
      : localizable('{0} reported a failure in the middle of its answer: {1}.', call, said);
  return { kind: 'unavailable', text };
}

function byStatus(error: ApiError, call: LocalizableText): Described {
  const status = error.status ?? 0;
  const text = statusText(error, call);
  if (status >= 300 && status < 400) return { kind: 'misconfigured', text: redirected(error, call) };
  if (status === 401) {
    return { kind: 'misconfigured', text: joined(text, localizable('Is the API key set and correct?')) };
  }
  if (status === 403) return { kind: 'refused', text };
  if (status === 404) {
    const hint = localizable('Is the model’s name right, and does the base URL end in /v1?');
    return { kind: 'misconfigured', text: joined(text, hint) };
  }
  if (status === 429) return { kind: 'rate-limited', text: joined(text, ...waiting(error)) };
  if (status === 408 || status === 504) return { kind: 'timeout', text };
  if (status >= 500) return { kind: 'unavailable', text };
  if (isTooLong(error)) {
    return { kind: 'misconfigured', text: joined(text, localizable('Set a smaller context window for the model.')) };
  }
  return { kind: 'refused', text };
}

function statusText(error: ApiError, call: LocalizableText): LocalizableText {
  const status = error.status ?? 0;
  const said = saidBy(error);
  return said === ''
    ? localizable('{0} failed with status {1}.', call, status)
    : localizable('{0} failed with status {1}: {2}.', call, status, said);
}

function redirected({ status = 0, headers }: ApiError, call: LocalizableText): LocalizableText {
  const target = headers?.get('location');
  return localizable(
    '{0} is redirected (status {1}) to {2}. Strata follows no redirects; set the base URL to the right address.',
    call,
    status,
    target ? oneLine(target) : localizable('another address'),
  );
}

function waiting({ headers }: ApiError): readonly LocalizableText[] {
  const wait = headers ? waitAsked(headers) : 0;
  return wait > 0 ? [localizable('The server asks to wait {0} s.', Math.ceil(wait / 1000))] : [];
}

function isTooLong({ status, message }: ApiError): boolean {
  return status === 413 || /context.{0,20}(?:length|window|size)|too many tokens|too long/i.test(message);
}

/** The server's own message without its final punctuation; empty if there is none. */
function saidBy(error: ApiError): string {
  return oneLine(wordsOf(error)).replace(/[.!?]*$/, '');
}

const noBody = 'status code (no body)';

/** An HTML page is not a message. */
function wordsOf(error: ApiError): string {
  const message = error.message.replace(/^\d{3} /, '');
  return message.includes(noBody) || /^\s*<(?:!doctype|html|head|body)/i.test(message) ? '' : message;
}

const longestWords = 240;

function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= longestWords ? line : `${line.slice(0, longestWords)}…`;
}

const shortestKey = 4;

/** Some servers repeat the key that they refuse. */
function withoutKey(text: LocalizableText, { apiKey }: OpenAiAccess): LocalizableText {
  if (apiKey === null || apiKey.length < shortestKey) return text;
  return withValues(text, (value) => value.replaceAll(apiKey, '•••'));
}

/** The client's errors contain headers and bodies, so only the name is kept as the cause. */
function withoutSecrets(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The statuses with which servers refuse a parameter: bad request, or unprocessable. */
const badRequest = new Set([400, 422]);

/** The server's message about a request that it refuses as it is; null for other failures. */
export function complaintOf(error: unknown, { APIError }: Sdk): string | null {
  if (!(error instanceof APIError) || !badRequest.has(error.status ?? 0)) return null;
  return typeof error.param === 'string' ? error.param : error.message;
}
