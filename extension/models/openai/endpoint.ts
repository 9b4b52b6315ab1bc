import { ModelFailed } from '../../engine/block/language-model';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';

/** The address of an OpenAI-compatible server. */
export interface Endpoint {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** With the port unless it is the default. */
  readonly host: string;
  /** On this machine: no data leaves it. */
  readonly isLocal: boolean;
  readonly isEncrypted: boolean;
  /** OpenAI itself, the only server that receives OPENAI_API_KEY. */
  readonly isOpenAi: boolean;
}

const openAiHost = 'api.openai.com';

/** Throws `ModelFailed` for an invalid address. */
export function endpointOf(baseUrl: string): Endpoint {
  const url = parsedUrl(baseUrl);
  const { hostname, protocol } = url;
  if (url.username !== '' || url.password !== '') {
    throw misconfigured(
      localizable('The base URL contains credentials. Remove them; Strata stores the key separately.'),
    );
  }
  if (url.search !== '' || url.hash !== '')
    throw misconfigured(localizable('The base URL must end with a path, such as /v1.'));
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return {
    baseUrl: `${url.origin}${path}`,
    host: url.host,
    isLocal: isLoopback(hostname),
    isEncrypted: protocol === 'https:',
    isOpenAi: protocol === 'https:' && hostname === openAiHost,
  };
}

/** Why an address that a person gave cannot be used; null if it can. */
export function addressProblem(baseUrl: string): LocalizableText | null {
  try {
    endpointOf(baseUrl);
    return null;
  } catch (error) {
    if (error instanceof ModelFailed) return error.wording;
    throw error;
  }
}

function parsedUrl(baseUrl: string): URL {
  if (baseUrl.trim() === '') throw misconfigured(localizable('No base URL is set for the OpenAI-compatible server.'));
  const url = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw misconfigured(localizable('The base URL of the OpenAI-compatible server is not an http or https address.'));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function misconfigured(message: LocalizableText): ModelFailed {
  return new ModelFailed('misconfigured', message);
}
