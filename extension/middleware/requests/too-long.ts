/** The sizes in a provider's error about a request that is too long, in its own tokens; null if it names none. */
export interface TooLong {
  /** Tokens of the request. */
  readonly tokens: number | null;
  /** Maximum tokens of a request. */
  readonly most: number | null;
}

/** Messages of providers, most exact first. The numbers are known only from their text. `window`: maximum of request and reply together. */
const wordings: readonly RegExp[] = [
  // Anthropic
  /prompt is too long: (?<tokens>[\d,]+) tokens > (?<most>[\d,]+) maximum/i,
  /exceed context limit: (?<tokens>[\d,]+) \+ (?<reply>[\d,]+) > (?<window>[\d,]+)/i,
  // OpenAI, vLLM and others with the same API
  /maximum context length is (?<window>[\d,]+) tokens.*?\((?<tokens>[\d,]+) in the messages.*?(?<reply>[\d,]+) in the completion/is,
  /maximum context length is (?<most>[\d,]+) tokens.*?(?<tokens>[\d,]+) (?:input )?tokens/is,
  /configured limit of (?<most>[\d,]+) tokens.*?(?<tokens>[\d,]+) tokens/is,
  // Google
  /input token count \((?<tokens>[\d,]+)\) exceeds the maximum number of tokens allowed \((?<most>[\d,]+)\)/i,
  // llama.cpp
  /request \((?<tokens>[\d,]+) tokens\) exceeds the available context size \((?<most>[\d,]+) tokens\)/i,
  /maximum context length is (?<most>[\d,]+) tokens/i,
  /context_length_exceeded|exceeds? the (?:context window|model's context)|exceed_context_size|prompt is too long/i,
];

/** Reads an error of a provider; null if it is about something else. */
export function tooLongIn(text: string): TooLong | null {
  for (const wording of wordings) {
    const found = wording.exec(text);
    if (found === null) continue;
    const { tokens, most, window, reply } = found.groups ?? {};
    return { tokens: numberIn(tokens) || null, most: numberIn(most) || numberIn(window) - numberIn(reply) || null };
  }
  return null;
}

function numberIn(digits = ''): number {
  return Number(digits.replaceAll(',', ''));
}

/** Errors of SDKs and frameworks: their message, and the answer's body if they have it. */
export function tooLongThrown(error: unknown): TooLong | null {
  if (!(error instanceof Error)) return null;
  const { responseBody, code } = error as { readonly responseBody?: unknown; readonly code?: unknown };
  return tooLongIn([error.message, responseBody, code].filter((text) => typeof text === 'string').join('\n'));
}
