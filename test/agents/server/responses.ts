import type { ServerResponse } from 'node:http';
import { beginStream, json } from '../../builders/scripted-model-server';
import { sendEvent } from './events';
import type { ScriptedReply } from './script';
import type { Answer } from './server';

type Item = Readonly<Record<string, unknown>> & { readonly type: string };

/** OpenAI Responses. Cached tokens are part of the input's. */
export const answerResponses: Answer = (response, asked, reply, number) => {
  const id = `resp_${number}`;
  const output = responseItems(reply, number);
  const usage = usageOf(reply);
  if (asked.body.stream !== true) {
    return json(response, 200, { id, object: 'response', status: 'completed', output, usage });
  }
  beginStream(response);
  sendEvent(response, 'response.created', { response: { id, object: 'response', status: 'in_progress', output: [] } });
  for (const [index, item] of output.entries()) sendItem(response, item, index);
  sendEvent(response, 'response.completed', {
    response: { id, object: 'response', status: 'completed', output, usage },
  });
  response.end();
};

export function responseItems({ text, reasoning, calls }: ScriptedReply, number: number): Item[] {
  const thought: Item = {
    type: 'reasoning',
    id: `rs_${number}`,
    summary: [{ type: 'summary_text', text: reasoning }],
    encrypted_content: Buffer.from(reasoning).toString('base64'),
  };
  const message: Item = {
    type: 'message',
    id: `msg_${number}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const called = calls.map(
    ({ name, namespace, input }, index): Item => ({
      type: 'function_call',
      id: `fc_${number}_${index}`,
      call_id: `call_${number}_${index}`,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.stringify(input),
      status: 'completed',
    }),
  );
  return [thought, message, ...called];
}

function sendItem(response: ServerResponse, item: Item, output_index: number): void {
  sendEvent(response, 'response.output_item.added', { output_index, item });
  if (item.type === 'message') {
    const [{ text }] = item.content as [{ readonly text: string }];
    sendEvent(response, 'response.output_text.delta', {
      output_index,
      item_id: item.id,
      content_index: 0,
      delta: text,
    });
  }
  sendEvent(response, 'response.output_item.done', { output_index, item });
}

function usageOf({ usage }: ScriptedReply): unknown {
  const input_tokens = usage.input + usage.cacheRead;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + usage.output,
  };
}
