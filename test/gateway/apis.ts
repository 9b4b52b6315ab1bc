import type { Upstreams } from '../../extension/gateway/address';
import { type Behaviour, streams } from './upstream';

/** One provider's format of requests and answers, as an agent uses it. */
export interface Api {
  readonly name: string;
  /** The path after the address of the gateway and its token. */
  readonly path: string;
  /** The path after the provider's own address. */
  readonly upstreamPath: string;
  /** A body in a form that no serializer of Strata produces, so that a body that was serialized again differs. */
  body(...said: readonly string[]): string;
  answers(text: string): Behaviour;
}

const events = (...all: readonly object[]) => all.map((event) => `data: ${JSON.stringify(event)}\n\n`);

/** Every second message is the model's. */
function messages(said: readonly string[]): string {
  const roles = ['user', 'assistant'];
  return said
    .map((text, at) => `{ "role":"${roles[at % 2]}",\t"content" : ${JSON.stringify(text)}, "x_unknown": 1.0 }`)
    .join(' ,\n');
}

const chat: Api = {
  name: 'openai-chat',
  path: '/openai/v1/chat/completions',
  upstreamPath: '/v1/chat/completions',
  body: (...said) =>
    `{ "stream": true, "stream_options": { "include_usage": true }, "temperature": 1.0,\n "model":"gpt-4o", "messages" : [ ${messages(said)} ]  }`,
  answers: (text) =>
    streams(
      ...events(
        { choices: [{ index: 0, delta: { role: 'assistant', content: text } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ),
      'data: [DONE]\n\n',
    ),
};

const responses: Api = {
  name: 'openai-responses',
  path: '/openai/v1/responses',
  upstreamPath: '/v1/responses',
  body: (...said) => `{ "stream":true, "store": false, "model" : "gpt-5", "input":[ ${messages(said)} ], "n": 1.50 }`,
  answers: (text) => {
    const item = { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text }] };
    return streams(
      ...events(
        { type: 'response.output_text.delta', item_id: 'm1', output_index: 0, content_index: 0, delta: text },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { status: 'completed', output: [item], usage: null } },
      ),
    );
  },
};

const anthropic: Api = {
  name: 'anthropic-messages',
  path: '/anthropic/v1/messages',
  upstreamPath: '/v1/messages',
  body: (...said) =>
    `{"max_tokens" :1024, "stream": true,"model":"claude-sonnet-4-5", "messages":[${messages(said)}]\n}`,
  answers: (text) =>
    streams(
      ...events(
        { type: 'message_start', message: { id: 'm1', role: 'assistant', content: [], usage: { input_tokens: 9 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
        { type: 'message_stop' },
      ),
    ),
};

export const apis: readonly Api[] = [chat, responses, anthropic];
export const chatApi = chat;

export function upstreamsAt(url: string): Upstreams {
  return { openai: `${url}/v1`, anthropic: url };
}
