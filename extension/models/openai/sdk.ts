/** The client library is large, so it is loaded with the first call. */
export type Sdk = Awaited<ReturnType<typeof load>>;

let loading: Promise<Sdk> | null = null;

export function loadSdk(): Promise<Sdk> {
  loading ??= load();
  return loading;
}

async function load() {
  const [{ OpenAI, APIError, APIConnectionError, APIConnectionTimeoutError }, { Stream }] = await Promise.all([
    import('openai'),
    import('openai/core/streaming'),
  ]);
  return { OpenAI, APIError, APIConnectionError, APIConnectionTimeoutError, Stream };
}
