import { expect, it, vi } from 'vitest';
import { BodyBytes } from '../../../extension/middleware/wire/body-bytes';
import { openAiChatProtocol } from '../../../extension/middleware/wire/openai-chat';
import { ownModel } from '../../../extension/middleware/wire/own-model';
import type { Answer } from '../../../extension/models/http/answer';

const prompt = { system: 'Write a block.', user: 'All of it.' };

it('the application’s model that refuses a prompt keeps no connection open', async () => {
  const cancel = vi.fn(async () => undefined);
  const body = { read: () => new Promise<never>(() => undefined), cancel };
  const refusal: Answer = { status: 503, statusText: '', headers: new Headers(), body };
  const { model } = ownModel(
    {
      body: new BodyBytes([new TextEncoder().encode('{"model":"m","messages":[{"role":"user","content":"Hi."}]}')]),
      model: 'm',
      protocol: openAiChatProtocol,
      send: async () => refusal,
    },
    true,
  );
  const { signal } = new AbortController();
  await expect(model.complete(prompt, { maxTokens: 100, signal })).rejects.toThrow('m answered with status 503.');
  expect(cancel).toHaveBeenCalledOnce();
});
