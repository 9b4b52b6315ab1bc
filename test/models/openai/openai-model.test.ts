import { describe, expect, it } from 'vitest';
import { ModelFailed } from '../../../extension/engine/block/language-model';
import { type OpenAiModelOptions, openAiModel } from '../../../extension/models/openai/openai-model';
import {
  breaksAfter,
  deafAddress,
  endsAfter,
  fails,
  finishChunk,
  hangs,
  type ModelServer,
  modelServer,
  neverStops,
  redirectsTo,
  refusesParameter,
  reportedUsage,
  says,
  saysAtOnce,
  sends,
  stallsAfter,
  streams,
} from '../../builders/model-server';

const key = 'sk-very-secret-0123456789';
const prompt = { system: 'You summarise.', user: 'Summarise this.' };
const soon = { 'retry-after-ms': '1' };

function modelOf({ baseUrl }: Pick<ModelServer, 'baseUrl'>, changes: Partial<OpenAiModelOptions> = {}) {
  return openAiModel({
    baseUrl,
    model: 'small',
    apiKey: key,
    timeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    retries: 2,
    ...changes,
  });
}

function complete(server: Pick<ModelServer, 'baseUrl'>, changes: Partial<OpenAiModelOptions> = {}, maxTokens = 100) {
  return modelOf(server, changes).complete(prompt, { maxTokens, signal: new AbortController().signal });
}

async function failureOf(promise: Promise<unknown>): Promise<ModelFailed> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelFailed);
  return error as ModelFailed;
}

describe('a model of an OpenAI-compatible server', () => {
  it('streams the answer, and takes the tokens as the server reports them', async () => {
    const server = await modelServer(says('A summary of what happened, long enough for several chunks of text.'));
    const seen: string[] = [];
    const completion = await modelOf(server).complete(prompt, {
      maxTokens: 100,
      signal: new AbortController().signal,
      onText: (text) => seen.push(text),
    });
    expect(completion).toEqual({
      text: 'A summary of what happened, long enough for several chunks of text.',
      tokens: { input: reportedUsage.prompt_tokens, output: reportedUsage.completion_tokens },
      isCut: false,
    });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(completion.text);
  });

  it('asks for a stream with usage, for little reasoning, and for no more tokens than wanted', async () => {
    const server = await modelServer(says('Done.'));
    await complete(server);
    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/chat/completions']);
    expect(server.asked[0]?.body).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: prompt.system },
        { role: 'user', content: prompt.user },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      reasoning_effort: 'none',
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  it('sends a server no information about this machine', async () => {
    const server = await modelServer(says('Done.'));
    await complete(server);
    const names = Object.keys(server.asked[0]?.headers ?? {}).filter((name) => /^(?:x-|openai-)/.test(name));
    expect(names).toEqual([]);
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it('works without a key', async () => {
    const server = await modelServer(says('Done.'));
    expect((await complete(server, { apiKey: null })).text).toBe('Done.');
  });

  it('counts the tokens itself if none are reported', async () => {
    const server = await modelServer(says('four words of text', { usage: null }));
    const words = (text: string) => text.split(/\s+/).length;
    expect((await complete(server, { countTokens: words })).tokens).toEqual({ input: 4, output: 4 });
  });

  it('takes an answer that comes in one piece', async () => {
    const server = await modelServer(saysAtOnce('All at once.'));
    expect(await complete(server)).toMatchObject({ text: 'All at once.', tokens: { input: 1234, output: 56 } });
  });

  it('leaves reasoning out, whether it comes apart or in the text', async () => {
    const apart = await modelServer(says('The answer.', { reasoning: 'Let me think.' }));
    const within = await modelServer(says('<think>Let me think about it for long.</think>\nThe answer.'));
    expect((await complete(apart)).text).toBe('The answer.');
    expect((await complete(within)).text).toBe('The answer.');
  });

  it('says when the server cut the answer off', async () => {
    const server = await modelServer(says('Half an', { finish: 'length' }));
    expect(await complete(server)).toMatchObject({ text: 'Half an', isCut: true });
  });

  it('cuts off a server that ignores the limit', async () => {
    const server = await modelServer(neverStops('And then I went on. '));
    const { text, isCut } = await complete(server, {}, 50);
    expect(isCut).toBe(true);
    expect(text.length / 4).toBeGreaterThanOrEqual(50);
    expect(text.length / 4).toBeLessThan(100);
  });

  describe('learns from the server', () => {
    it('the other name of the limit, once for all calls', async () => {
      const server = await modelServer(refusesParameter('max_tokens'), says('First.'), says('Second.'));
      const model = modelOf(server);
      const options = { maxTokens: 100, signal: new AbortController().signal };
      expect((await model.complete(prompt, options)).text).toBe('First.');
      expect((await model.complete(prompt, options)).text).toBe('Second.');
      expect(server.asked.map(({ body }) => Object.keys(body).find((name) => name.startsWith('max_')))).toEqual([
        'max_tokens',
        'max_completion_tokens',
        'max_completion_tokens',
      ]);
    });

    it('that it reports no usage', async () => {
      const server = await modelServer(fails(422, 'Extra inputs are not permitted: stream_options'), says('Done.'));
      expect((await complete(server)).text).toBe('Done.');
      expect(server.asked.map(({ body }) => 'stream_options' in body)).toEqual([true, false]);
    });

    it('that its chat templates have no switches', async () => {
      const server = await modelServer(refusesParameter('chat_template_kwargs'), says('Done.'));
      expect((await complete(server)).text).toBe('Done.');
      expect(server.asked.map(({ body }) => 'chat_template_kwargs' in body)).toEqual([true, false]);
    });

    it('which low values of reasoning effort it refuses', async () => {
      const refusal = refusesParameter('reasoning_effort');
      const server = await modelServer(refusal, refusal, refusal, says('Done.'));
      expect((await complete(server)).text).toBe('Done.');
      expect(server.asked.map(({ body }) => body.reasoning_effort)).toEqual(['none', 'minimal', 'low', undefined]);
    });

    it('that the model needs room for its reasoning', async () => {
      const server = await modelServer(
        says('', { reasoning: 'Hm.', finish: 'length' }),
        says('Done.', { reasoning: 'Hm.' }),
      );
      expect((await complete(server)).text).toBe('Done.');
      expect(server.asked.map(({ body }) => body.max_tokens)).toEqual([100, 8292]);
    });

    it('and gives up if the same is refused again', async () => {
      const server = await modelServer(refusesParameter('max_tokens'), refusesParameter('max_completion_tokens'));
      const { kind, message } = await failureOf(complete(server));
      expect(kind).toBe('refused');
      expect(message).toContain("Unsupported parameter: 'max_completion_tokens'.");
    });
  });

  describe('tries again', () => {
    it('after the time that the server asks for', async () => {
      const server = await modelServer(fails(429, 'slow down', soon), fails(503, 'busy', soon), says('Done.'));
      expect((await complete(server)).text).toBe('Done.');
      expect(server.asked.length).toBe(3);
    });

    it('after Retry-After in seconds', async () => {
      const server = await modelServer(fails(429, 'slow down', { 'retry-after': '0.001' }), says('Done.'));
      expect((await complete(server)).text).toBe('Done.');
    });

    it('but not when the wait is longer than anyone would wait', async () => {
      const server = await modelServer(fails(429, 'quota is used up', { 'retry-after': '3600' }), says('Done.'));
      const { kind, message } = await failureOf(complete(server));
      expect(kind).toBe('rate-limited');
      expect(message).toBe(
        `POST ${server.baseUrl}/chat/completions (model small) failed with status 429: quota is used up. The server asks to wait 3600 s.`,
      );
      expect(server.asked.length).toBe(1);
    });

    it('and a wait ends at once when the call is called off', async () => {
      const controller = new AbortController();
      const reason = new Error('The person pressed Cancel.');
      const server = await modelServer((response, asked) => {
        fails(429, 'slow down', { 'retry-after': '15' })(response, asked);
        response.on('finish', () => setTimeout(() => controller.abort(reason), 20));
      });
      const call = modelOf(server, { timeoutMs: 60_000 }).complete(prompt, {
        maxTokens: 100,
        signal: controller.signal,
      });
      await expect(call).rejects.toBe(reason);
      expect(server.asked.length).toBe(1);
    }, 10_000);

    it('and never once the call is called off, in the middle of an answer', async () => {
      const controller = new AbortController();
      const reason = new Error('The person pressed Cancel.');
      const server = await modelServer(stallsAfter('Half an answer'));
      const call = modelOf(server).complete(prompt, {
        maxTokens: 100,
        signal: controller.signal,
        onText: () => controller.abort(reason),
      });
      await expect(call).rejects.toBe(reason);
      expect(server.asked.length).toBe(1);
    });

    it('when an answer breaks off, once', async () => {
      const server = await modelServer(breaksAfter('Half'), says('Whole.'));
      expect((await complete(server)).text).toBe('Whole.');
      const broken = await modelServer(breaksAfter('Half'));
      const { kind, message } = await failureOf(complete(broken));
      expect(kind).toBe('unavailable');
      expect(message).toContain('failed in the middle of its answer');
      expect(broken.asked.length).toBe(2);
    });
  });

  describe('fails with a message that names the call', () => {
    const quick = { retries: 0 };
    const called = ({ baseUrl }: ModelServer) => `POST ${baseUrl}/chat/completions (model small)`;

    it('when nothing comes', async () => {
      const server = await modelServer(hangs);
      const { kind, message } = await failureOf(complete(server, { timeoutMs: 100 }));
      expect([kind, message]).toEqual(['timeout', `${called(server)} took longer than 0.1 s.`]);
    });

    it('when the answer stalls', async () => {
      const server = await modelServer(stallsAfter('Half an answer'));
      const { kind, message } = await failureOf(complete(server, { idleTimeoutMs: 60 }));
      expect([kind, message]).toEqual([
        'timeout',
        `${called(server)} sent nothing for 0.06 s in the middle of its answer.`,
      ]);
    });

    it('when the stream ends too early', async () => {
      const server = await modelServer(endsAfter('Half an answer'));
      const { kind, message } = await failureOf(complete(server, quick));
      expect([kind, message]).toEqual(['unavailable', `${called(server)} ended before its answer was complete.`]);
    });

    it('if no server listens', async () => {
      const baseUrl = await deafAddress();
      const { kind, message } = await failureOf(complete({ baseUrl }, quick));
      const { host } = new URL(baseUrl);
      expect([kind, message]).toEqual([
        'unavailable',
        `POST ${baseUrl}/chat/completions (model small) could not be reached: connect ECONNREFUSED ${host}`,
      ]);
    });

    it.each([
      [401, 'misconfigured', 'Is the API key set and correct?'],
      [403, 'refused', ''],
      [404, 'misconfigured', 'does the base URL end in /v1?'],
      [418, 'refused', ''],
      [429, 'rate-limited', ''],
      [500, 'unavailable', ''],
      [504, 'timeout', ''],
    ])('when it answers %i', async (status, expected, hint) => {
      const server = await modelServer(fails(status, 'No.\nNot\u0007 today'));
      const { kind, message } = await failureOf(complete(server, quick));
      expect(kind).toBe(expected);
      expect(message).toContain(`${called(server)} failed with status ${status}: No. Not today.`);
      expect(message).toContain(hint);
    });

    it('when the prompt is too long for the model', async () => {
      const server = await modelServer(fails(400, "This model's maximum context length is 4096 tokens."));
      const { kind, message } = await failureOf(complete(server));
      expect(kind).toBe('misconfigured');
      expect(message).toContain('Set a smaller context window for the model.');
    });

    it('when it answers with a web page', async () => {
      const page = '<!doctype html><title>Welcome</title>';
      const fine = await modelServer(sends('text/html; charset=utf-8', page));
      const missing = await modelServer(sends('text/html', page, 404));
      expect(await failureOf(complete(fine))).toMatchObject({
        kind: 'misconfigured',
        message: `${called(fine)} answered with a web page (text/html; charset=utf-8). Does the base URL lead to an API, and end in /v1?`,
      });
      expect((await failureOf(complete(missing))).message).not.toContain('doctype');
    });

    it.each([
      ['application/json', '{"hello": "world"}', 'JSON that is not a chat completion'],
      ['application/json', 'null', 'JSON that is not a chat completion'],
      ['application/json', '{"choices"', 'not JSON'],
      ['text/event-stream', 'data: {"choices": [\n\n', 'not JSON'],
    ])('when it sends %s that makes no sense: %s', async (type, body, said) => {
      const server = await modelServer(sends(type, body));
      const { kind, message } = await failureOf(complete(server, quick));
      expect(kind).toBe('broken-answer');
      expect(message).toContain(said);
    });

    it('when the server reports a failure in its stream', async () => {
      const server = await modelServer(sends('text/event-stream', 'data: {"error": {"message": "out of memory"}}\n\n'));
      const { kind, message } = await failureOf(complete(server, quick));
      expect([kind, message]).toEqual([
        'unavailable',
        `${called(server)} reported a failure in the middle of its answer: out of memory.`,
      ]);
    });

    it('when the model declines', async () => {
      const server = await modelServer(says('I can', { finish: 'content_filter' }));
      expect((await failureOf(complete(server))).kind).toBe('refused');
    });

    it('when the model declines in words of its own', async () => {
      const refusal = { choices: [{ index: 0, delta: { refusal: 'I would rather not.' } }] };
      const server = await modelServer(streams(refusal, finishChunk('stop')));
      expect((await failureOf(complete(server))).kind).toBe('refused');
    });

    it('when all that it does is reason', async () => {
      const server = await modelServer(says('', { reasoning: 'Hm.', finish: 'length' }));
      const { kind, message } = await failureOf(complete(server));
      expect([kind, message]).toEqual([
        'broken-answer',
        `${called(server)} spent all of its tokens on reasoning and gave no answer.`,
      ]);
    });
  });

  describe('keeps the key to itself', () => {
    it('also when the server repeats it', async () => {
      const server = await modelServer(fails(401, `Incorrect API key provided: ${key}.`));
      const failure = await failureOf(complete(server));
      expect(failure.message).toContain('Incorrect API key provided: •••.');
      expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.toContain(key);
    });

    it.each([301, 302, 307, 308])(
      'follows no redirect of status %i, so that nothing goes elsewhere',
      async (status) => {
        const elsewhere = await modelServer(says('Thank you for the conversation.'));
        const server = await modelServer(redirectsTo(`${elsewhere.baseUrl}/chat/completions`, status));
        const { kind, message } = await failureOf(complete(server));
        expect(kind).toBe('misconfigured');
        expect(message).toContain(`is redirected (status ${status}) to ${elsewhere.baseUrl}/chat/completions.`);
        expect(elsewhere.asked).toEqual([]);
      },
    );
  });

  it.each([
    ['', 'No base URL is set for the OpenAI-compatible server.'],
    ['localhost:1234', 'The base URL of the OpenAI-compatible server is not an http or https address.'],
    ['file:///etc/passwd', 'The base URL of the OpenAI-compatible server is not an http or https address.'],
    ['http://me:secret@host/v1', 'The base URL contains credentials. Remove them; Strata stores the key separately.'],
    ['http://host/v1?key=1', 'The base URL must end with a path, such as /v1.'],
  ])('refuses the base URL "%s" before anything is sent', (baseUrl, message) => {
    expect(() => modelOf({ baseUrl })).toThrow(new ModelFailed('misconfigured', message));
  });

  it('calls a server on this machine one at a time, and others three', () => {
    expect(modelOf({ baseUrl: 'http://localhost:1234/v1' }).concurrency).toBe(1);
    expect(modelOf({ baseUrl: 'https://models.example/v1' }).concurrency).toBe(3);
  });
});
