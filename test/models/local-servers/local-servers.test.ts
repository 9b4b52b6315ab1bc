import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { findLocalModels } from '../../../extension/models/local-servers/local-servers';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on this machine that answers these paths. */
async function serving(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === 'silence') return;
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const nobody = 'http://127.0.0.1:9';
const none = { Ollama: nobody, 'LM Studio': nobody, 'llama.cpp': nobody };

describe('model servers on this machine', () => {
  it('lists the models of Ollama, with the window of those that are loaded', async () => {
    const origin = await serving({
      '/api/tags': { models: [{ name: 'qwen3:8b' }, { name: 'gemma3:4b' }] },
      '/api/ps': { models: [{ name: 'qwen3:8b', context_length: 32_768 }] },
    });
    expect(await findLocalModels({ origins: { ...none, Ollama: origin } })).toEqual([
      { server: 'Ollama', baseUrl: `${origin}/v1`, model: 'qwen3:8b', contextWindow: 32_768 },
      { server: 'Ollama', baseUrl: `${origin}/v1`, model: 'gemma3:4b', contextWindow: null },
    ]);
  });

  it('lists the models of LM Studio that write text', async () => {
    const origin = await serving({
      '/api/v0/models': {
        data: [
          { id: 'qwen3-8b', type: 'llm', max_context_length: 131_072, loaded_context_length: 8192 },
          { id: 'nomic-embed', type: 'embeddings' },
        ],
      },
    });
    expect(await findLocalModels({ origins: { ...none, 'LM Studio': origin } })).toEqual([
      { server: 'LM Studio', baseUrl: `${origin}/v1`, model: 'qwen3-8b', contextWindow: 8192 },
    ]);
  });

  it('lists the model of llama.cpp with the window that it was started with', async () => {
    const origin = await serving({
      '/v1/models': { data: [{ id: 'model.gguf', owned_by: 'llamacpp' }] },
      '/props': { default_generation_settings: { n_ctx: 16_384 } },
    });
    expect(await findLocalModels({ origins: { ...none, 'llama.cpp': origin } })).toEqual([
      { server: 'llama.cpp', baseUrl: `${origin}/v1`, model: 'model.gguf', contextWindow: 16_384 },
    ]);
  });

  it('does not treat another program on the port of llama.cpp as a model server', async () => {
    const origin = await serving({ '/v1/models': { data: [{ id: 'gpt', owned_by: 'a-proxy' }] } });
    expect(await findLocalModels({ origins: { ...none, 'llama.cpp': origin } })).toEqual([]);
  });

  it('finds nothing if servers are silent, lie or are not there', async () => {
    const silent = await serving({ '/api/tags': 'silence', '/api/ps': 'silence' });
    const wrong = await serving({ '/api/v0/models': '<html>', '/v1/models': { data: 7 } });
    expect(await findLocalModels({ origins: { Ollama: silent, 'LM Studio': wrong, 'llama.cpp': wrong } })).toEqual([]);
  });
});
