/** The parameters of a call of an OpenAI-compatible server. */
export interface OpenAiAccess {
  readonly baseUrl: string;
  readonly model: string;
  /** Null for a server without a key. */
  readonly apiKey: string | null;
}

export const openAiBaseUrl = 'https://api.openai.com/v1';

type Environment = Readonly<Record<string, string | undefined>>;

/** The given settings, completed from the environment. OPENAI_API_KEY is only used for OpenAI itself. */
export function openAiAccess(
  given: {
    readonly baseUrl?: string | undefined;
    readonly model?: string | undefined;
    readonly apiKey?: string | undefined;
  },
  environment: Environment,
): OpenAiAccess {
  const baseUrl = given.baseUrl || environment.STRATA_OPENAI_BASE_URL || openAiBaseUrl;
  const ownKey = isOpenAi(baseUrl) ? environment.OPENAI_API_KEY : undefined;
  return {
    baseUrl,
    model: given.model || environment.STRATA_OPENAI_MODEL || '',
    apiKey: given.apiKey || environment.STRATA_OPENAI_API_KEY || ownKey || null,
  };
}

function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(openAiBaseUrl).origin;
}
