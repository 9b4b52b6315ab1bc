/** What is needed to call an OpenAI-compatible server. */
export interface OpenAiAccess {
  readonly baseUrl: string;
  readonly model: string;
  /** Null for a server that asks for none. */
  readonly apiKey: string | null;
}

export const openAiBaseUrl = 'https://api.openai.com/v1';

type Environment = Readonly<Record<string, string | undefined>>;

/** The given settings, and the environment's where there is none. OPENAI_API_KEY goes to OpenAI and nowhere else. */
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
