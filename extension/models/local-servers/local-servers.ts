import * as v from 'valibot';

/** A model of a server on this machine. */
export interface LocalModel {
  /** Display name of the server. */
  readonly server: string;
  /** Address of its OpenAI-compatible API. */
  readonly baseUrl: string;
  readonly model: string;
  /** Tokens that the server gives the model; null if it does not say. */
  readonly contextWindow: number | null;
}

/** The usual port of a kind of server, and how it lists its models. */
interface Kind {
  readonly name: string;
  readonly origin: string;
  list(origin: string, ask: Ask): Promise<readonly Pick<LocalModel, 'model' | 'contextWindow'>[]>;
}

/** The JSON at a path of the server; null if it does not answer in time. */
type Ask = <Output>(url: string, schema: v.GenericSchema<unknown, Output>) => Promise<Output | null>;

const kinds: readonly Kind[] = [
  { name: 'Ollama', origin: 'http://127.0.0.1:11434', list: modelsOfOllama },
  { name: 'LM Studio', origin: 'http://127.0.0.1:1234', list: modelsOfLmStudio },
  { name: 'llama.cpp', origin: 'http://127.0.0.1:8080', list: modelsOfLlamaCpp },
];

interface SearchOptions {
  readonly signal?: AbortSignal;
  /** Other addresses by the server's name, without a path. */
  readonly origins?: Readonly<Record<string, string>>;
}

/** Looks for model servers on their usual ports of this machine. A server that does not answer in time counts as missing. */
export async function findLocalModels({ signal, origins = {} }: SearchOptions = {}): Promise<LocalModel[]> {
  const found = await Promise.all(
    kinds.map(async ({ name, origin: usual, list }) => {
      const origin = origins[name] ?? usual;
      const models = await list(origin, askWithin(signal));
      return models.map((model) => ({ server: name, baseUrl: `${origin}/v1`, ...model }));
    }),
  );
  return found.flat();
}

/** In milliseconds. A server on this machine answers a list at once. */
const patience = 800;

/** In bytes. */
const longestList = 4 * 1024 * 1024;

function askWithin(calledOff?: AbortSignal): Ask {
  return async (url, schema) => {
    const limit = AbortSignal.timeout(patience);
    const signal = calledOff ? AbortSignal.any([calledOff, limit]) : limit;
    try {
      const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
      if (!response.ok || Number(response.headers.get('content-length')) > longestList) return null;
      const read = v.safeParse(schema, await response.json());
      return read.success ? read.output : null;
    } catch {
      // Nothing listens on the port, or something else does. In both cases there is no such server.
      return null;
    }
  };
}

const tokens = v.pipe(v.number(), v.integer(), v.minValue(1));

const tags = v.object({ models: v.array(v.object({ name: v.string() })) });
const loaded = v.object({ models: v.array(v.object({ name: v.string(), context_length: v.optional(tokens) })) });

/** Ollama gives a model a smaller window than its maximum, and reports the size only for models that it has loaded. */
async function modelsOfOllama(origin: string, ask: Ask) {
  const [all, running] = await Promise.all([ask(`${origin}/api/tags`, tags), ask(`${origin}/api/ps`, loaded)]);
  return (all?.models ?? []).map(({ name }) => ({
    model: name,
    contextWindow: running?.models.find((one) => one.name === name)?.context_length ?? null,
  }));
}

const studio = v.object({
  data: v.array(
    v.object({ id: v.string(), type: v.optional(v.string(), 'llm'), loaded_context_length: v.optional(tokens) }),
  ),
});

async function modelsOfLmStudio(origin: string, ask: Ask) {
  const own = await ask(`${origin}/api/v0/models`, studio);
  return (own?.data ?? [])
    .filter(({ type }) => type !== 'embeddings')
    .map(({ id, loaded_context_length: window }) => ({ model: id, contextWindow: window ?? null }));
}

const listed = v.object({ data: v.array(v.object({ id: v.string(), owned_by: v.literal('llamacpp') })) });
const properties = v.object({ default_generation_settings: v.object({ n_ctx: tokens }) });

/** Many programs use its port, so it counts only if it identifies itself. */
async function modelsOfLlamaCpp(origin: string, ask: Ask) {
  const models = await ask(`${origin}/v1/models`, listed);
  if (models === null) return [];
  const own = await ask(`${origin}/props`, properties);
  return models.data.map(({ id }) => ({
    model: id,
    contextWindow: own?.default_generation_settings.n_ctx ?? null,
  }));
}
