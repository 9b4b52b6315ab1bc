import type { OpenAI } from 'openai';
import type { CreateEmbeddingResponse } from 'openai/resources/embeddings';
import type { Embedder } from '../../engine/block/language-model';
import { excerpt } from '../../engine/prompts/excerpt';
import { localizable } from '../../engine/wording/localizable-text';
import { Patience } from '../patience';
import { checkedEndpoint, type OpenAiOptions, openClient } from './client';
import { type Call, failed, failureOf, named } from './failures';
import { loadSdk, type Sdk } from './sdk';

/** Texts per request: few enough for small servers, many enough to make the number of requests irrelevant. */
const batchSize = 64;

/** In UTF-16 units. Embedding models take at most 8,000 tokens, and later text hardly changes the vector. */
const longestText = 8_000;

/** Embeddings from an OpenAI-compatible server. Throws `ModelFailed` for invalid settings. */
export function openAiEmbedder(options: OpenAiOptions): Embedder {
  const endpoint = checkedEndpoint(options);
  const call: Call = { access: options, request: `POST ${endpoint.baseUrl}/embeddings` };
  let client: OpenAI | null = null;
  return {
    name: `openai:${options.model}`,
    async embed(texts, signal) {
      const sdk = await loadSdk();
      client ??= openClient(sdk, endpoint, options);
      const vectors: (readonly number[])[] = [];
      for (let start = 0; start < texts.length; start += batchSize) {
        const batch = texts.slice(start, start + batchSize);
        vectors.push(...(await embedBatch(batch, { client, sdk, call, options, signal })));
      }
      return ofOneLength(vectors, call);
    },
  };
}

interface Batching {
  readonly client: OpenAI;
  readonly sdk: Sdk;
  readonly call: Call;
  readonly options: OpenAiOptions;
  readonly signal: AbortSignal;
}

async function embedBatch(
  texts: readonly string[],
  { client, sdk, call, options, signal }: Batching,
): Promise<readonly (readonly number[])[]> {
  const patience = new Patience(named(call), options, signal);
  try {
    const input = texts.map(embeddable);
    const answer = await client.embeddings.create(
      { model: options.model, input, encoding_format: 'float' },
      { signal: patience.signal },
    );
    return vectorsOf(answer, texts.length, call);
  } catch (error) {
    patience.throwIfEnded();
    throw failureOf(error, call, sdk);
  } finally {
    patience.dispose();
  }
}

/** Servers refuse empty texts. */
function embeddable(text: string): string {
  return text.trim() === '' ? '-' : excerpt(text, longestText);
}

function vectorsOf(answer: unknown, count: number, call: Call): readonly (readonly number[])[] {
  const { data } = (typeof answer === 'object' && answer !== null ? answer : {}) as Partial<CreateEmbeddingResponse>;
  if (!Array.isArray(data) || data.length !== count || !data.every((item) => isVector(item?.embedding))) {
    throw failed(
      'broken-answer',
      call,
      localizable('{0} did not give one vector for each of the {1} texts.', named(call), count),
    );
  }
  return [...data].sort((one, other) => one.index - other.index).map(({ embedding }) => embedding);
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => Number.isFinite(item));
}

function ofOneLength(vectors: readonly (readonly number[])[], call: Call): readonly (readonly number[])[] {
  const lengths = new Set(vectors.map((vector) => vector.length));
  if (lengths.size <= 1) return vectors;
  throw failed('broken-answer', call, localizable('{0} gave vectors of different lengths.', named(call)));
}
