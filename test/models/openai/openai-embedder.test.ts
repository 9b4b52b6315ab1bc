import { describe, expect, it } from 'vitest';
import { openAiEmbedder } from '../../../extension/models/openai/openai-embedder';
import { embeds, fails, hangs, type ModelServer, modelServer, sends } from '../../builders/model-server';

function embed({ baseUrl }: ModelServer, texts: readonly string[], signal = new AbortController().signal) {
  const options = { baseUrl, model: 'vectors', apiKey: null, timeoutMs: 20_000, idleTimeoutMs: 20_000, retries: 0 };
  return openAiEmbedder(options).embed(texts, signal);
}

const lengthAndOne = embeds((text) => [text.length, 1]);

describe('vectors from an OpenAI-compatible server', () => {
  it('vectors from an OpenAI-compatible server come in the order of the texts, whatever the order of the answer', async () => {
    const server = await modelServer(lengthAndOne);
    expect(await embed(server, ['a', 'bbb', 'cc'])).toEqual([
      [1, 1],
      [3, 1],
      [2, 1],
    ]);
    expect(server.asked[0]?.body).toEqual({
      model: 'vectors',
      input: ['a', 'bbb', 'cc'],
      encoding_format: 'float',
    });
  });

  it('vectors from an OpenAI-compatible server are asked for in batches', async () => {
    const server = await modelServer(lengthAndOne);
    const texts = Array.from({ length: 150 }, (_, index) => 'x'.repeat(index + 1));
    const vectors = await embed(server, texts);
    expect(vectors.map(([length]) => length)).toEqual(texts.map((text) => text.length));
    expect(server.asked.map(({ body }) => (body.input as string[]).length)).toEqual([64, 64, 22]);
  });

  it('vectors from an OpenAI-compatible server are asked for of no empty text and of no endless one', async () => {
    const server = await modelServer(lengthAndOne);
    await embed(server, ['', 'long '.repeat(10_000)]);
    const [asked] = server.asked.map(({ body }) => body.input as string[]);
    const lengths = asked?.map((text) => text.length) ?? [];
    expect(lengths[0]).toBe(1);
    expect(lengths[1]).toBeLessThan(8_100);
  });

  it('vectors from an OpenAI-compatible server of no texts take no request', async () => {
    const server = await modelServer(lengthAndOne);
    expect(await embed(server, [])).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['too few', '{"data": []}'],
    ['no numbers', '{"data": [{"index": 0, "embedding": ["a"]}, {"index": 1, "embedding": []}]}'],
    ['no objects', '{"data": [null, null]}'],
    ['of two lengths', '{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}'],
    ['nothing', 'null'],
  ])('vectors from an OpenAI-compatible server are refused when they are %s', async (_, body) => {
    const server = await modelServer(sends('application/json', body));
    await expect(embed(server, ['a', 'b'])).rejects.toMatchObject({ name: 'ModelFailed', kind: 'broken-answer' });
  });

  it('fail with a message that names the call', async () => {
    const server = await modelServer(fails(404, 'no such model'));
    await expect(embed(server, ['a'])).rejects.toThrow(
      `POST ${server.baseUrl}/embeddings (model vectors) failed with status 404: no such model.`,
    );
  });

  it('vectors from an OpenAI-compatible server can be called off', async () => {
    const server = await modelServer(hangs);
    const reason = new Error('Cancelled.');
    const controller = new AbortController();
    const vectors = embed(server, ['a'], controller.signal);
    controller.abort(reason);
    await expect(vectors).rejects.toBe(reason);
  });
});
