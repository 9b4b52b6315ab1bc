import type { ServerResponse } from 'node:http';
import * as s from '../../../extension/platform/json/schemas';
import { type Asked, beginStream, json } from '../../builders/scripted-model-server';
import { sendEvent } from './events';
import type { ScriptedReply } from './script';
import type { Answer } from './server';

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** Anthropic Messages. Cached tokens are not part of the input's. */
export const answerMessages: Answer = (response, asked, reply, number) => {
  const content = blocksOf(reply, asked, number);
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: asked.body.model,
    stop_sequence: null,
  };
  const stop_reason = reply.calls.length > 0 ? 'tool_use' : 'end_turn';
  const usage = usageOf(reply);
  if (asked.body.stream !== true) return json(response, 200, { ...message, content, stop_reason, usage });
  beginStream(response);
  sendEvent(response, 'message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  for (const [index, block] of content.entries()) sendBlock(response, block, index);
  sendEvent(response, 'message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  });
  sendEvent(response, 'message_stop', {});
  response.end();
};

function blocksOf({ text, reasoning, calls }: ScriptedReply, { body }: Asked, number: number): Block[] {
  const mode = s.jsonRecord(body.thinking)?.type;
  const thinks = mode !== undefined && mode !== 'disabled';
  const signature = Buffer.from(reasoning).toString('base64');
  const called = calls.map(
    ({ name, input }, index): Block => ({
      type: 'tool_use',
      id: `toolu_${number}_${index}`,
      name,
      input,
    }),
  );
  return [...(thinks ? [{ type: 'thinking', thinking: reasoning, signature }] : []), { type: 'text', text }, ...called];
}

/** A block starts empty; its content follows as one delta. */
function sendBlock(response: ServerResponse, block: Block, index: number): void {
  const { empty, deltas } = piecesOf(block);
  sendEvent(response, 'content_block_start', { index, content_block: { ...block, ...empty } });
  for (const delta of deltas) sendEvent(response, 'content_block_delta', { index, delta });
  sendEvent(response, 'content_block_stop', { index });
}

function piecesOf(block: Block): { readonly empty: object; readonly deltas: readonly object[] } {
  switch (block.type) {
    case 'thinking':
      return {
        empty: { thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use':
      return {
        empty: { input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }],
      };
    default:
      return { empty: { text: '' }, deltas: [{ type: 'text_delta', text: block.text }] };
  }
}

function usageOf({ usage }: ScriptedReply) {
  return {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    output_tokens: usage.output,
  };
}
