import { describe, expect, it } from 'vitest';
import { ModelFailed } from '../../../extension/engine/block/language-model';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import type { ToolCallPart } from '../../../extension/engine/conversation/entry';
import { contextAsOpenAi } from '../../../extension/middleware/openai';
import type { ChatOrder, ChatPiece, ChatTool } from '../../../extension/models/chat-model';
import { type OpenAiChatOptions, openAiChat } from '../../../extension/models/openai/openai-chat';
import { assistant, call, calls, result, type Said, system, talk, user } from '../../builders/conversation';
import {
  answersTurn,
  breaksAfter,
  breaksAfterChunks,
  callChunk,
  callChunks,
  deafAddress,
  endsAfter,
  fails,
  finishChunk,
  hangs,
  type ModelServer,
  modelServer,
  neverStops,
  pausesWithin,
  redirectsTo,
  refusesParameter,
  replies,
  repliesAtOnce,
  says,
  sends,
  stallsAfter,
  streams,
  textChunk,
} from '../../builders/model-server';
import { contextOf } from '../../builders/run';

const key = 'sk-very-secret-0123456789';
const soon = { 'retry-after-ms': '1' };
const readTool: ChatTool = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

function chatWith({ baseUrl }: Pick<ModelServer, 'baseUrl'>, changes: Partial<OpenAiChatOptions> = {}) {
  return openAiChat({
    asMessages: contextAsOpenAi,
    baseUrl,
    model: 'small',
    apiKey: key,
    contextWindow: 32_000,
    timeoutMs: 20_000,
    retries: 2,
    ...changes,
  });
}

function context(...said: Said[]): readonly ContextMessage[] {
  return contextOf(talk(...said)).messages;
}

function order(changes: Partial<ChatOrder> = {}): ChatOrder {
  const messages = context(user('fix it'));
  return { messages, tools: [readTool], toolMode: 'auto', signal: new AbortController().signal, ...changes };
}

interface Heard {
  readonly pieces: readonly ChatPiece[];
  readonly text: string;
  readonly calls: readonly ChatPiece[];
  readonly failure: unknown;
}

/** Collects the pieces until the answer ends or fails. */
async function hear(
  server: Pick<ModelServer, 'baseUrl'>,
  changes: Partial<ChatOrder> = {},
  options: Partial<OpenAiChatOptions> = {},
): Promise<Heard> {
  const pieces: ChatPiece[] = [];
  let failure: unknown = null;
  try {
    for await (const piece of chatWith(server, options).converse(order(changes))) pieces.push(piece);
  } catch (error) {
    failure = error;
  }
  const text = pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
  return { pieces, text, calls: pieces.filter(({ type }) => type === 'tool_call'), failure };
}

const called = ({ baseUrl }: Pick<ModelServer, 'baseUrl'>) => `POST ${baseUrl}/chat/completions (model small)`;

describe('a chat with a model of an OpenAI-compatible server', () => {
  it('says what it is', () => {
    const { model, name, contextWindow } = chatWith({ baseUrl: 'http://localhost:1/v1' }, { name: 'My model' });
    expect([model, name, contextWindow]).toEqual(['small', 'My model', 32_000]);
    expect(chatWith({ baseUrl: 'http://localhost:1/v1' }).name).toBe('small');
  });

  it('sends the context and the tools, and sets no limit', async () => {
    const server = await modelServer(says('Done.'));
    const messages = context(
      system('Be brief.'),
      user('look'),
      call('a', 'read', { path: 'a.ts' }),
      result('a', 'text'),
    );
    const tools = [readTool, { name: 'now', description: 'Tells the time.' }];
    await hear(server, { messages, tools, toolMode: 'required' });
    expect(server.asked[0]?.body).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'text' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: { name: 'read', description: 'Reads a file.', parameters: readTool.inputSchema },
        },
        {
          type: 'function',
          function: { name: 'now', description: 'Tells the time.', parameters: { type: 'object', properties: {} } },
        },
      ],
      tool_choice: 'required',
    });
  });

  it('offers no tools if there are none', async () => {
    const server = await modelServer(says('Done.'));
    await hear(server, { tools: [], toolMode: 'required' });
    expect(Object.keys(server.asked[0]?.body ?? {}).sort()).toEqual(['messages', 'model', 'stream', 'stream_options']);
  });

  it('passes pictures through', async () => {
    const server = await modelServer(says('A cat.'));
    const shown = user('What is this?');
    const picture = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const messages = context({ ...shown, parts: [...shown.parts, picture] });
    await hear(server, { messages });
    expect(server.asked[0]?.body.messages).toEqual(contextAsOpenAi({ messages }));
    expect(JSON.stringify(server.asked[0]?.body)).toContain('data:image/png;base64,AAAA');
  });

  it('streams reasoning, text, tool calls and what it cost, in that order', async () => {
    const server = await modelServer(
      replies({
        reasoning: 'I need the file.',
        text: 'I look at the file first, which is long enough for two pieces.',
        calls: [{ id: 'x', name: 'read', arguments: '{"path":"src/a.ts"}' }],
        usage: { prompt_tokens: 1200, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 1000 } },
      }),
    );
    const { pieces, failure } = await hear(server);
    expect(failure).toBeNull();
    expect(pieces).toEqual([
      { type: 'reasoning', text: 'I need the file.' },
      { type: 'text', text: 'I look at the file first, which is long ' },
      { type: 'text', text: 'enough for two pieces.' },
      { type: 'tool_call', callId: 'x', name: 'read', input: { path: 'src/a.ts' } },
      { type: 'usage', usage: { input: 200, output: 30, cacheRead: 1000, cacheWrite: 0 } },
    ]);
  });

  it('takes an answer that comes in one piece, with its calls', async () => {
    const reply = { text: 'I look.', reasoning: 'Hm.', calls: [{ id: 'x', name: 'read', arguments: '{"path":"a"}' }] };
    const { pieces, failure } = await hear(await modelServer(repliesAtOnce(reply)));
    expect(failure).toBeNull();
    expect(pieces).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', callId: 'x', name: 'read', input: { path: 'a' } },
      { type: 'usage', usage: { input: 1234, output: 56, cacheRead: 0, cacheWrite: 0 } },
    ]);
  });

  it('reports no usage if the server reports none', async () => {
    const { pieces } = await hear(await modelServer(replies({ text: 'Hi.', usage: null })));
    expect(pieces).toEqual([{ type: 'text', text: 'Hi.' }]);
  });

  it('takes the last usage if a server reports it again and again', async () => {
    const usage = (completion_tokens: number) => ({ choices: [], usage: { prompt_tokens: 5, completion_tokens } });
    const { pieces } = await hear(
      await modelServer(streams(textChunk('A'), usage(1), textChunk('B'), usage(2), finishChunk('stop'))),
    );
    expect(pieces.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', usage: { input: 5, output: 2, cacheRead: 0, cacheWrite: 0 } },
    ]);
  });

  it('passes on the words of a model that declines', async () => {
    const refusal = { choices: [{ index: 0, delta: { refusal: 'I would rather not.' } }] };
    const { text, failure } = await hear(await modelServer(streams(refusal, finishChunk('stop'))));
    expect([text, failure]).toEqual(['I would rather not.', null]);
  });

  it('a chat with a model of an OpenAI-compatible server can be asked again and again, over one connection’s habits', async () => {
    const server = await modelServer(refusesParameter('stream_options'), says('First.'), says('Second.'));
    const chat = chatWith(server);
    const first: ChatPiece[] = [];
    for await (const piece of chat.converse(order())) first.push(piece);
    for await (const piece of chat.converse(order())) first.push(piece);
    expect(first.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: 'First.' },
      { type: 'text', text: 'Second.' },
    ]);
    expect(server.asked.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false]);
  });

  it('asks nothing of a server before someone listens', async () => {
    const server = await modelServer(says('Done.'));
    chatWith(server).converse(order());
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.asked).toEqual([]);
  });

  it('closes the connection when the reader stops', async () => {
    let hangUp = (): void => undefined;
    const hungUp = new Promise<void>((resolve) => {
      hangUp = resolve;
    });
    const server = await modelServer((response, asked) => {
      response.on('close', hangUp);
      neverStops('And on. ')(response, asked);
    });
    for await (const piece of chatWith(server).converse(order())) {
      expect(piece.type).toBe('text');
      break;
    }
    await hungUp;
  });
});

describe('a tool call', () => {
  it('a tool call in two, side by side, piece by piece in turn', async () => {
    const [firsts, seconds] = [
      callChunks({ id: 'x', name: 'read', arguments: '{"path":"src/one.ts"}' }, 0),
      callChunks({ id: 'y', name: 'read', arguments: '{"path":"src/two.ts"}' }, 1),
    ];
    const mixed = firsts.flatMap((chunk, index) => [chunk, seconds[index]]);
    const { calls } = await hear(await modelServer(streams(...mixed, finishChunk('tool_calls'))));
    expect(calls).toEqual([
      { type: 'tool_call', callId: 'x', name: 'read', input: { path: 'src/one.ts' } },
      { type: 'tool_call', callId: 'y', name: 'read', input: { path: 'src/two.ts' } },
    ]);
  });

  it.each([
    ['{"path": ', '{"path": '],
    ['src/a.ts', 'src/a.ts'],
    ['', {}],
    ['  ', {}],
    ['null', null],
    ['[1]', [1]],
    ['"quoted"', '"quoted"'],
  ])('a tool call with the arguments %j has the input %j', async (given, input) => {
    const { calls } = await hear(await modelServer(replies({ calls: [{ id: 'x', name: 'read', arguments: given }] })));
    expect(calls).toEqual([{ type: 'tool_call', callId: 'x', name: 'read', input }]);
  });

  it('a tool call with arguments that are an object and no text is taken too', async () => {
    const piece = { index: 0, id: 'x', function: { name: 'read', arguments: { path: 'a' } } };
    const { calls } = await hear(await modelServer(streams(callChunk(piece), finishChunk('tool_calls'))));
    expect(calls).toEqual([{ type: 'tool_call', callId: 'x', name: 'read', input: { path: 'a' } }]);
  });

  it.each([
    ['none', [undefined, undefined], []],
    ['the same twice', ['x', 'x'], ['x']],
    ['one from earlier in the conversation', ['old', 'x'], ['x']],
  ])('a tool call whose server gives as ids %s gets ids of its own', async (_, [first, second], kept) => {
    const scripted = [first, second].map((id) => ({ ...(id ? { id } : {}), name: 'read', arguments: '{}' }));
    const { calls: heard } = await hear(await modelServer(replies({ calls: scripted })), {
      messages: context(user('look'), calls('old'), result('old'), assistant('Looked.'), user('again')),
    });
    const ids = heard.map((piece) => (piece.type === 'tool_call' ? piece.callId : ''));
    expect(new Set(['old', '', ...ids]).size).toBe(4);
    expect(ids).toEqual(expect.arrayContaining(kept));
  });

  it.each([
    ['all with the index 0', 0, ['x', 'y']],
    ['without an index', undefined, ['x', 'y']],
    ['without index and id', undefined, []],
  ])('a tool call that comes whole, one after the other, %s, is one of its own', async (_, index, ids) => {
    const piece = (path: string, id: string | undefined) =>
      callChunk({ index, id, function: { name: 'read', arguments: JSON.stringify({ path }) } });
    const server = await modelServer(streams(piece('a', ids[0]), piece('b', ids[1]), finishChunk('stop')));
    const { calls } = await hear(server);
    expect(calls).toMatchObject([{ input: { path: 'a' } }, { input: { path: 'b' } }]);
    const given = calls.map((made) => (made.type === 'tool_call' ? made.callId : ''));
    expect(given).toEqual(ids.length > 0 ? ids : [expect.stringMatching(/^\w{9}$/), expect.stringMatching(/^\w{9}$/)]);
    expect(new Set(given).size).toBe(2);
  });

  it.each([
    ['the same id and name with each piece', 0, { id: 'x' }, { name: 'read' }],
    ['another id with each piece', 0, { id: 'z' }, {}],
    ['no index', undefined, {}, {}],
  ])('a tool call is one if the server gives %s', async (_, index, id, name) => {
    const chunks = [
      callChunk({ index, id: 'x', function: { name: 'read', arguments: '{"path"' } }),
      callChunk({ index, ...id, function: { ...name, arguments: ':"a"}' } }),
    ];
    const { calls } = await hear(await modelServer(streams(...chunks, finishChunk('tool_calls'))));
    expect(calls).toEqual([{ type: 'tool_call', callId: 'x', name: 'read', input: { path: 'a' } }]);
  });

  it('a tool call that names no tool is a broken answer', async () => {
    const server = await modelServer(replies({ text: 'I look.', calls: [{ id: 'x', name: '', arguments: '{}' }] }));
    const { text, calls, failure } = await hear(server);
    expect([text, calls]).toEqual(['I look.', []]);
    expect(failure).toEqual(new ModelFailed('broken-answer', `${called(server)} called a tool without naming it.`));
  });

  it.each([
    ['Look at it. TOOLS=2', ['now', 'now'], {}],
    ['Look at it. USE=read PARALLEL TOOLS=2', ['read', 'read', 'read', 'read'], { path: 'some path' }],
  ])('takes its result back, and the work goes on: %s', async (message, names, input) => {
    const server = await modelServer(answersTurn());
    const tools = [{ name: 'now', description: 'Tells the time.' }, readTool];
    const said: Said[] = [user(message)];
    const made: ToolCallPart[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { calls: heard } = await hear(server, { messages: context(...said), tools });
      const parts = heard.filter((piece) => piece.type === 'tool_call');
      said.push({ role: 'assistant', parts }, ...parts.map(({ callId }) => result(callId)));
      made.push(...parts);
    }
    const { text, calls: none } = await hear(server, { messages: context(...said), tools });
    expect([text, none]).toEqual([`Answer 3 after 2 steps: ${message}`, []]);
    expect(made.map(({ name }) => name)).toEqual(names);
    expect(made.map((call) => call.input)).toEqual(names.map(() => input));
    expect(server.asked.at(-1)?.body.messages).toEqual(contextAsOpenAi({ messages: context(...said) }));
  });

  it('a tool call is cached with all that went before it, as the server reports', async () => {
    const server = await modelServer(answersTurn());
    const cached = async (...said: Said[]) => {
      const { pieces } = await hear(server, { messages: context(...said) });
      const usage = pieces.find((piece) => piece.type === 'usage')?.usage;
      return usage && usage.cacheRead / (usage.input + usage.cacheRead);
    };
    const before = [user('and so on '.repeat(200)), assistant('Yes.')];
    expect(await cached(...before)).toBe(0);
    expect(await cached(...before, user('Go on.'))).toBeGreaterThan(0.9);
    expect(await cached(user('Other.'), ...before)).toBeLessThan(0.1);
  });
});

describe('an answer that is cut off at its limit', () => {
  it('text that is cut off at its limit is an answer, and the cut is reported', async () => {
    const server = await modelServer(replies({ text: 'Half an', finish: 'length' }));
    let cuts = 0;
    const onCut = () => {
      cuts += 1;
    };
    const { text, failure } = await hear(server, { onCut });
    expect([text, failure, cuts]).toEqual(['Half an', null, 1]);
    await hear(await modelServer(says('Whole.')), { onCut });
    expect(cuts).toBe(1);
  });

  it.each(['{"path": "src/a', ''])(
    'an answer that is cut off at its limit is broken in the middle of a tool call: %j',
    async (given) => {
      const server = await modelServer(
        replies({ text: 'I look.', calls: [{ id: 'x', name: 'read', arguments: given }], finish: 'length' }),
      );
      const { pieces, failure } = await hear(server);
      expect(pieces.map(({ type }) => type)).toEqual(['text', 'usage']);
      expect(failure).toEqual(
        new ModelFailed(
          'broken-answer',
          `${called(server)} was cut off at its output limit, in the middle of a call of the tool read.`,
        ),
      );
    },
  );

  it('an answer that is cut off at its limit is whole if the last tool call is', async () => {
    const server = await modelServer(
      replies({ calls: [{ id: 'x', name: 'read', arguments: '{"path":"a"}' }], finish: 'length' }),
    );
    const { calls, failure } = await hear(server);
    expect([calls.length, failure]).toEqual([1, null]);
  });

  it.each([
    ['Hm.', 'spent all of its tokens on reasoning and gave no answer.'],
    [undefined, 'was cut off at its output limit before it said anything.'],
  ])('before it began is broken (reasoning: %s)', async (reasoning, said) => {
    const server = await modelServer(replies({ ...(reasoning ? { reasoning } : {}), finish: 'length' }));
    expect((await hear(server)).failure).toEqual(new ModelFailed('broken-answer', `${called(server)} ${said}`));
  });
});

describe('an answer that fails', () => {
  it.each([
    ['breaks off', breaksAfter('Half'), 'failed in the middle of its answer'],
    ['ends too early', endsAfter('Half'), 'ended before its answer was complete.'],
    [
      'is a failure in its stream',
      sends(
        'text/event-stream',
        `data: ${JSON.stringify(textChunk('Half'))}\n\ndata: {"error":{"message":"no memory"}}\n\n`,
      ),
      'reported a failure in the middle of its answer: no memory.',
    ],
  ])('because it %s keeps what came, and is not asked for again', async (_, behaviour, said) => {
    const server = await modelServer(behaviour);
    const { text, failure } = await hear(server);
    expect(text).toBe('Half');
    expect(failure).toMatchObject({ name: 'ModelFailed', kind: 'unavailable' });
    expect(String(failure)).toContain(`${called(server)} ${said}`);
    expect(server.asked.length).toBe(1);
  });

  it('an answer that fails in the middle of a tool call runs no tool', async () => {
    const [opening, piece] = callChunks({ id: 'x', name: 'read', arguments: '{"path":"src/a.ts"}' }, 0);
    const server = await modelServer(breaksAfterChunks(textChunk('I look.'), opening, piece));
    const { pieces, failure } = await hear(server);
    expect(pieces).toEqual([{ type: 'text', text: 'I look.' }]);
    expect(failure).toMatchObject({ kind: 'unavailable' });
  });

  it('a filtered answer keeps the text that came before', async () => {
    const server = await modelServer(replies({ text: 'I can', finish: 'content_filter' }));
    const { text, failure } = await hear(server);
    expect(text).toBe('I can');
    expect(failure).toMatchObject({ kind: 'refused' });
  });

  it('when it grows beyond all measure', async () => {
    const server = await modelServer(neverStops('again and '.repeat(2_000)));
    const { text, failure } = await hear(server);
    expect(failure).toEqual(
      new ModelFailed('broken-answer', `${called(server)} was stopped: its answer grew beyond 4 MB of text.`),
    );
    expect(text.length).toBeGreaterThan(4_100_000);
    expect(text.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('when it stalls', async () => {
    const server = await modelServer(stallsAfter('Half'));
    const { text, failure } = await hear(server, {}, { timeoutMs: 400 });
    expect(text).toBe('Half');
    expect(failure).toEqual(
      new ModelFailed('timeout', `${called(server)} sent nothing for 0.4 s in the middle of its answer.`),
    );
  });

  it('when nothing comes at all', async () => {
    const server = await modelServer(hangs);
    const { failure } = await hear(server, {}, { timeoutMs: 80 });
    expect(failure).toEqual(new ModelFailed('timeout', `${called(server)} took longer than 0.08 s.`));
  });

  it('but not because it takes long in all', async () => {
    const server = await modelServer(answersTurn());
    const messages = context(user(`PACE=100 ${'and so on '.repeat(16)}`));
    const { pieces, failure } = await hear(server, { messages }, { timeoutMs: 400 });
    expect(failure).toBeNull();
    expect(pieces.length).toBeGreaterThan(4);
  });

  it('but not because its reader is slow', async () => {
    const server = await modelServer(pausesWithin('One', 20, ' two.'));
    let text = '';
    for await (const piece of chatWith(server, { timeoutMs: 400 }).converse(order())) {
      if (piece.type !== 'text') continue;
      text += piece.text;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(text).toBe('One two.');
  });
});

describe('a request that fails', () => {
  it('a request that fails is tried again while there is no answer', async () => {
    const server = await modelServer(fails(429, 'slow down', soon), fails(503, 'busy', soon), says('Done.'));
    const { text, failure } = await hear(server);
    expect([text, failure, server.asked.length]).toEqual(['Done.', null, 3]);
  });

  it('says so with the call when that does not help', async () => {
    const server = await modelServer(fails(500, 'boom', soon));
    const { failure } = await hear(server, {}, { retries: 1 });
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: `${called(server)} failed with status 500: boom.`,
    });
    expect(server.asked.length).toBe(2);
  });

  it('a request that fails because the context is too long says what helps', async () => {
    const server = await modelServer(fails(400, 'This model’s maximum context length is 4096 tokens.'));
    expect(String((await hear(server)).failure)).toContain('Set a smaller context window for the model.');
  });

  it('a request to an address without a server names the address in its error', async () => {
    const baseUrl = await deafAddress();
    const { failure } = await hear({ baseUrl }, {}, { retries: 0 });
    expect(String(failure)).toContain(`POST ${baseUrl}/chat/completions (model small) could not be reached`);
  });

  it('because it leads to a web page says so', async () => {
    const { failure } = await hear(await modelServer(sends('text/html', '<html></html>')));
    expect(failure).toMatchObject({ kind: 'misconfigured' });
    expect(String(failure)).toContain('answered with a web page (text/html)');
  });

  it.each([
    ['application/json', '{"hello": "world"}', 'JSON that is not a chat completion'],
    ['application/json', '{"choices"', 'not JSON'],
    ['text/event-stream', 'data: {"choices": [\n\n', 'not JSON'],
  ])('a request that fails because %s makes no sense (%s) says so', async (type, body, said) => {
    const { failure } = await hear(await modelServer(sends(type, body)));
    expect(failure).toMatchObject({ kind: 'broken-answer' });
    expect(String(failure)).toContain(said);
  });

  it('because it is redirected goes nowhere else', async () => {
    const elsewhere = await modelServer(says('Thank you for the conversation.'));
    const { failure } = await hear(await modelServer(redirectsTo(`${elsewhere.baseUrl}/chat/completions`)));
    expect(failure).toMatchObject({ kind: 'misconfigured' });
    expect(String(failure)).toContain(`is redirected (status 307) to ${elsewhere.baseUrl}`);
    expect(elsewhere.asked).toEqual([]);
  });

  it('keeps the key to itself', async () => {
    const { failure } = await hear(await modelServer(fails(401, `Incorrect API key provided: ${key}.`)));
    expect(String(failure)).toContain('Incorrect API key provided: •••.');
  });

  it('refuses settings that cannot be right before anything is sent', () => {
    expect(() => chatWith({ baseUrl: 'localhost:1234' })).toThrow(ModelFailed);
    expect(() => chatWith({ baseUrl: 'http://localhost:1/v1' }, { model: ' ' })).toThrow(
      'No model is set for the OpenAI-compatible server.',
    );
  });
});

describe('a chat that is called off', () => {
  const reason = new Error('The person pressed Stop.');

  it.each([
    ['while nothing came yet', hangs],
    ['while it waits to try again', fails(429, 'slow down', { 'retry-after': '15' })],
    ['in the middle of its answer', stallsAfter('Half')],
    ['in the middle of an answer that does not stop', neverStops('And on. ')],
  ])('%s ends at once, with the reason', async (_, behaviour) => {
    const controller = new AbortController();
    const server = await modelServer((response, asked) => {
      behaviour(response, asked);
      setTimeout(() => controller.abort(reason), 30);
    });
    expect((await hear(server, { signal: controller.signal })).failure).toBe(reason);
    expect(server.asked.length).toBe(1);
  });

  it('before it began asks nothing, and ends with the reason', async () => {
    const server = await modelServer(hangs);
    expect((await hear(server, { signal: AbortSignal.abort(reason) })).failure).toBe(reason);
    expect(server.asked).toEqual([]);
  });

  it('a chat that is called off by the reader of a piece brings no further piece', async () => {
    const controller = new AbortController();
    const server = await modelServer(says('Long enough for several pieces of text, of which one is read. '.repeat(3)));
    const heard: ChatPiece[] = [];
    const reading = (async () => {
      for await (const piece of chatWith(server).converse(order({ signal: controller.signal }))) {
        heard.push(piece);
        controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(heard.length).toBe(1);
  });
});
