/** The sizes in a provider's error about a request that is too long, in its own tokens; null if it names none. */
export interface TooLong {
  /** Tokens of the request. */
  readonly tokens: number | null;
  /** Maximum tokens of a request. */
  readonly most: number | null;
}

interface Wording {
  readonly pattern: RegExp;
  readonly read: (numbers: readonly number[]) => TooLong;
}

const unknown: TooLong = { tokens: null, most: null };

/** Messages of providers, most exact first. The numbers are known only from their text. */
const wordings: readonly Wording[] = [
  // Anthropic
  {
    pattern: /prompt is too long: ([\d,]+) tokens > ([\d,]+) maximum/i,
    read: ([tokens, most]) => limits(tokens, most),
  },
  {
    pattern: /exceed context limit: ([\d,]+) \+ ([\d,]+) > ([\d,]+)/i,
    read: ([tokens, reply = 0, window]) => limits(tokens, window && window - reply),
  },
  // OpenAI, vLLM and others with the same API
  {
    pattern: /maximum context length is ([\d,]+) tokens.*?\(([\d,]+) in the messages.*?([\d,]+) in the completion/is,
    read: ([window, tokens, reply = 0]) => limits(tokens, window && window - reply),
  },
  {
    pattern: /maximum context length is ([\d,]+) tokens.*?([\d,]+) (?:input )?tokens/is,
    read: ([most, tokens]) => limits(tokens, most),
  },
  {
    pattern: /configured limit of ([\d,]+) tokens.*?([\d,]+) tokens/is,
    read: ([most, tokens]) => limits(tokens, most),
  },
  // Google
  {
    pattern: /input token count \(([\d,]+)\) exceeds the maximum number of tokens allowed \(([\d,]+)\)/i,
    read: ([tokens, most]) => limits(tokens, most),
  },
  // llama.cpp
  {
    pattern: /request \(([\d,]+) tokens\) exceeds the available context size \(([\d,]+) tokens\)/i,
    read: ([tokens, most]) => limits(tokens, most),
  },
  { pattern: /maximum context length is ([\d,]+) tokens/i, read: ([most]) => limits(undefined, most) },
  {
    pattern:
      /context_length_exceeded|exceeds? the (?:context window|model's context)|exceed_context_size|prompt is too long/i,
    read: () => unknown,
  },
];

function limits(tokens: number | undefined, most: number | undefined): TooLong {
  return { tokens: tokens || null, most: most || null };
}

/** Reads an error of a provider; null if it is about something else. */
export function tooLongIn(text: string): TooLong | null {
  for (const { pattern, read } of wordings) {
    const found = pattern.exec(text);
    if (found) return read(found.slice(1).map((number) => Number(number.replaceAll(',', ''))));
  }
  return null;
}

/** Errors of SDKs and frameworks: their message, and the answer's body if they have it. */
export function tooLongThrown(error: unknown): TooLong | null {
  if (!(error instanceof Error)) return null;
  const { responseBody, code } = error as { readonly responseBody?: unknown; readonly code?: unknown };
  return tooLongIn([error.message, responseBody, code].filter((text) => typeof text === 'string').join('\n'));
}
