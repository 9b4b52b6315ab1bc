import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Part, withTextsMerged } from '../../../extension/engine/conversation/entry';
import { atOnce } from '../../../extension/engine/conversation/long-work';
import { nextLink } from '../../../extension/middleware/recognition/chain';
import { anthropicMessagesProtocol } from '../../../extension/middleware/wire/anthropic-messages';
import { BodyBytes } from '../../../extension/middleware/wire/body-bytes';
import { openAiChatProtocol } from '../../../extension/middleware/wire/openai-chat';
import { openAiResponsesProtocol } from '../../../extension/middleware/wire/openai-responses';
import type { WireProtocol } from '../../../extension/middleware/wire/protocol';
import { protocols } from '../../../extension/middleware/wire/protocols';
import { readRequest } from '../../../extension/middleware/wire/request-reader';
import type { ChatPiece } from '../../../extension/models/chat-model';

const stream = 'text/event-stream; charset=utf-8';
const whole = 'application/json';

const callA = { type: 'tool_call', callId: 'a', name: 'read', input: { path: 'x.ts' } };
const callB = { type: 'tool_call', callId: 'b', name: 'list', input: {} };
const usage = { type: 'usage', usage: { input: 20, output: 7, cacheRead: 80, cacheWrite: 0 } };
const said = [{ type: 'reasoning', text: 'Hm, so.' }, { type: 'text', text: 'I look — é.' }, callA, callB];

interface Picture {
  readonly protocol: WireProtocol;
  /** The reply as a stream. It ends with the last event. */
  readonly events: readonly object[];
  readonly answer: object;
  /** The request in which the client sends the reply back. */
  readonly next: object;
}

const functionA = { name: 'read', arguments: '{"path": "x.ts"}' };
const functionB = { name: 'list', arguments: '' };
const toolCalls = [
  { id: 'a', type: 'function', function: functionA },
  { id: 'b', type: 'function', function: functionB },
];
const chatMessage = { role: 'assistant', content: 'I look — é.', reasoning_content: 'Hm, so.', tool_calls: toolCalls };
const chatUsage = { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 80 } };

const chat: Picture = {
  protocol: openAiChatProtocol,
  events: [
    ...[
      { role: 'assistant', content: '' },
      { reasoning_content: 'Hm, ' },
      { reasoning_content: 'so.' },
      { content: 'I look' },
      { content: ' — é.' },
      { tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{"path": ' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"x.ts"}' } }] },
      { tool_calls: [{ index: 1, id: 'b', function: { name: 'list', arguments: '' } }] },
    ].map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 1, delta: { content: 'Another answer.' }, finish_reason: null }] },
    { choices: [], usage: chatUsage },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ],
  answer: { choices: [{ index: 0, message: chatMessage, finish_reason: 'tool_calls' }], usage: chatUsage },
  next: { model: 'm', messages: [chatMessage] },
};

const items = [
  { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm, so.' }], encrypted_content: 'opaque' },
  { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'x' } },
  {
    type: 'message',
    id: 'm',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'I look — é.', annotations: [] }],
  },
  { type: 'function_call', id: 'fa', call_id: 'a', ...functionA },
  { type: 'function_call', id: 'fb', call_id: 'b', ...functionB },
];
const response = {
  object: 'response',
  status: 'completed',
  output: items,
  usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 80 }, output_tokens: 7 },
};

const responses: Picture = {
  protocol: openAiResponsesProtocol,
  events: [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'Hm, ' },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'so.' },
    { type: 'response.output_text.delta', output_index: 2, delta: 'I look' },
    { type: 'response.output_text.delta', output_index: 2, delta: ' — é.' },
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response },
  ],
  answer: response,
  next: { model: 'm', input: items },
};

const blocks = [
  { type: 'thinking', thinking: 'Hm, so.', signature: 'c2ln' },
  { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
  { type: 'text', text: 'I look — é.' },
  { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x.ts' } },
  { type: 'tool_use', id: 'b', name: 'list', input: {} },
];
const anthropicUsage = { input_tokens: 20, cache_read_input_tokens: 80, cache_creation_input_tokens: 0 };

const anthropic: Picture = {
  protocol: anthropicMessagesProtocol,
  events: [
    { type: 'message_start', message: { type: 'message', usage: { ...anthropicUsage, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm, ' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'so.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { ...blocks[1], input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query":"x"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'I look' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: ' — é.' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'content_block_start', index: 3, content_block: { ...blocks[3], input: {} } },
    { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"path": ' } },
    { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '"x.ts"}' } },
    { type: 'content_block_stop', index: 3 },
    { type: 'content_block_start', index: 4, content_block: { ...blocks[4], input: {} } },
    { type: 'content_block_stop', index: 4 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ],
  answer: {
    type: 'message',
    role: 'assistant',
    content: blocks,
    stop_reason: 'tool_use',
    usage: { ...anthropicUsage, output_tokens: 7 },
  },
  next: { model: 'm', messages: [{ role: 'assistant', content: blocks }] },
};

for (const { protocol, events, answer, next } of [chat, responses, anthropic]) {
  describe(`an answer of ${protocol.name}`, () => {
    it('is read from a stream, however that is cut into pieces', () => {
      const text = sse(events);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 40 }), (cuts) => {
          expect(readIn(protocol, stream, cutAt(text, cuts))).toEqual({ pieces: [...said, usage], isWhole: true });
        }),
        { numRuns: 60 },
      );
    });

    it('is read from JSON', () => {
      const text = JSON.stringify(answer);
      expect(readIn(protocol, whole, cutAt(text, [7, 90]))).toEqual({ pieces: [...said, usage], isWhole: true });
    });

    it('is recognised when the client sends it back', () => {
      const reading = atOnce(
        readRequest(protocol.shape, new BodyBytes([new TextEncoder().encode(JSON.stringify(next))])),
      );
      const [received] = reading.kind === 'read' ? reading.request.said : [];
      const { pieces } = readIn(protocol, stream, [sse(events)]);
      const parts = pieces.flatMap((piece) => (piece.type === 'usage' ? [] : [piece]));
      expect(received && nextLink('start', received)).toBe(nextLink('start', { role: 'assistant', parts }));
    });

    it('returns the received part if it is cut off, and never more', () => {
      const lines = events.map((event) => sse([event]));
      for (let count = 0; count < lines.length - 2; count += 1) {
        const { pieces, isWhole } = readIn(protocol, stream, [...lines.slice(0, count), 'data: {"type":"mess']);
        expect(isWhole).toBe(false);
        expect(textIn([...said]).startsWith(textIn(pieces))).toBe(true);
        expect(said).toEqual(expect.arrayContaining(pieces.filter(({ type }) => type === 'tool_call')));
      }
      expect(readIn(protocol, whole, [JSON.stringify(answer).slice(0, -1)])).toEqual({ pieces: [], isWhole: false });
    });
  });
}

describe('a reader of answers', () => {
  it('a reader of answers exists only for streams and JSON', () => {
    for (const { answerReader } of protocols) {
      expect([stream, whole, 'application/vnd.api+json'].map((type) => answerReader(type) !== null)).toEqual([
        true,
        true,
        true,
      ]);
      expect(['text/html', 'text/plain', '', 'application/jsonp'].map(answerReader)).toEqual([null, null, null, null]);
    }
  });

  it('never throws, whatever comes', () => {
    const known = [chat, responses, anthropic].flatMap(({ events }) => events);
    const names = [
      'type',
      'index',
      'delta',
      'content_block',
      'item',
      'response',
      'output',
      'choices',
      'message',
      'usage',
    ];
    const record = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    const event = fc.oneof(fc.jsonValue(), record, fc.constantFrom(...known), typed(record, known));
    const data = fc.oneof(
      fc.string(),
      fc.string().map((text) => `data: ${text}\n\n`),
      event.map((one) => sse([one])),
    );
    fc.assert(
      fc.property(
        fc.array(data),
        fc.constantFrom(...protocols),
        fc.constantFrom(stream, whole),
        (texts, protocol, type) => {
          const { pieces } = readIn(protocol, type, texts);
          expect(
            pieces.every(
              (piece) => piece.type === 'usage' || nextLink('', { role: 'assistant', parts: [piece] }) !== '',
            ),
          ).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads arguments of a call that are not JSON as text', () => {
    const call = { id: 'a', function: { name: 'read', arguments: '{"path": "x' } };
    const answer = { choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason: 'length' }] };
    const { pieces } = readIn(openAiChatProtocol, whole, [JSON.stringify(answer)]);
    expect(pieces).toEqual([{ type: 'tool_call', callId: 'a', name: 'read', input: '{"path": "x' }]);
  });

  it('leaves the text for a custom tool as it is, even if it is JSON', () => {
    const calls = [
      { index: 0, id: 'a', type: 'custom', custom: { name: 'write', input: '{"a"' } },
      { index: 0, custom: { input: ': 1}' } },
    ];
    const events = calls.map((call) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }));
    const { pieces } = readIn(openAiChatProtocol, stream, [sse([...events, { choices: [{ finish_reason: 'stop' }] }])]);
    const written = { type: 'tool_call', callId: 'a', name: 'write', input: '{"a": 1}' };
    expect(pieces).toEqual([written]);
    const item = { type: 'custom_tool_call', call_id: 'a', name: 'write', input: '{"a": 1}' };
    expect(
      readIn(openAiResponsesProtocol, whole, [JSON.stringify({ ...response, output: [item], usage: null })]).pieces,
    ).toEqual([written]);
  });

  it('reads the final response if its stream had no items', () => {
    const { pieces, isWhole } = readIn(openAiResponsesProtocol, stream, [
      sse([{ type: 'response.completed', response }]),
    ]);
    expect({ pieces, isWhole }).toEqual({ pieces: [...said, usage], isWhole: true });
  });

  it('counts an answer with an error in its stream as torn', () => {
    const torn = [...anthropic.events.slice(0, -1), { type: 'error', error: { type: 'overloaded_error' } }];
    expect(readIn(anthropicMessagesProtocol, stream, [sse(torn)]).isWhole).toBe(false);
    const failed = { type: 'response.failed', response: { ...response, status: 'failed', output: [] } };
    expect(readIn(openAiResponsesProtocol, stream, [sse([failed])]).isWhole).toBe(false);
    expect(readIn(openAiChatProtocol, stream, [sse([{ error: { message: 'no' } }])]).isWhole).toBe(false);
  });

  describe('of Chat Completions, where every chunk has a usage', () => {
    const counted = (delta: object, output: number, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
      usage: { ...chatUsage, completion_tokens: output },
    });
    const half = { tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{"path": ' } }] };
    const rest = { tool_calls: [{ index: 0, function: { arguments: '"x.ts"}' } }] };
    const begun = [counted({ content: 'I look.' }, 2), counted(half, 4)];
    const text = { type: 'text', text: 'I look.' };

    it('does not accept an incomplete call if the stream is cut off', () => {
      expect(readIn(openAiChatProtocol, stream, [sse(begun)])).toEqual({ pieces: [text], isWhole: false });
    });

    it('does not accept an incomplete call if only the usage came after it', () => {
      const pieces = [text, usage];
      const cut = sse([...begun, { choices: [], usage: chatUsage }]);
      expect(readIn(openAiChatProtocol, stream, [cut])).toEqual({ pieces, isWhole: false });
    });

    it('takes the last usage if the answer has an end, by a reason or by its last word', () => {
      const pieces = [text, callA, usage];
      const ended = sse([...begun, counted(rest, 6), counted({}, 7, 'tool_calls')]);
      expect(readIn(openAiChatProtocol, stream, [ended])).toEqual({ pieces, isWhole: true });
      const done = `${sse([...begun, counted(rest, 7)])}data: [DONE]\n\n`;
      expect(readIn(openAiChatProtocol, stream, [done])).toEqual({ pieces, isWhole: true });
    });

    it('is not an answer if it ends with an error', () => {
      const failed = `${sse([...begun, { error: { message: 'overloaded' } }])}data: [DONE]\n\n`;
      expect(readIn(openAiChatProtocol, stream, [failed])).toEqual({
        pieces: [text, { ...usage, usage: { ...usage.usage, output: 4 } }],
        isWhole: false,
      });
    });
  });

  it('accepts a last event without a blank line after it', () => {
    expect(readIn(anthropicMessagesProtocol, stream, [sse(anthropic.events).trimEnd()]).isWhole).toBe(true);
  });
});

function typed(record: fc.Arbitrary<object>, known: readonly object[]): fc.Arbitrary<object> {
  return fc
    .tuple(fc.constantFrom(...known), record)
    .map(([one, other]) => ({ ...one, ...other, type: Reflect.get(one, 'type') }));
}

function sse(events: readonly unknown[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts].sort((a, b) => a - b);
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

function readIn(protocol: WireProtocol, type: string, texts: readonly string[]) {
  const reader = protocol.answerReader(type);
  if (reader === null) throw new Error(`There is no reader for ${type}.`);
  const before = texts.flatMap((text) => reader.read(text));
  const { pieces, isWhole } = reader.end();
  return { pieces: merged([...before, ...pieces]), isWhole };
}

/** Usage comes last in any case. */
function merged(pieces: readonly ChatPiece[]): ChatPiece[] {
  const parts = withTextsMerged(pieces.flatMap((piece): Part[] => (piece.type === 'usage' ? [] : [piece])));
  return [...(parts as ChatPiece[]), ...pieces.filter(({ type }) => type === 'usage')];
}

function textIn(pieces: readonly { readonly type: string; readonly text?: string }[]): string {
  return pieces.map(({ type, text = '' }) => (type === 'text' || type === 'reasoning' ? text : '')).join('');
}
