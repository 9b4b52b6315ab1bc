import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

/** A minimal agent: it sends a prompt, and runs the tools that the model calls until it answers with text alone. */
export type Agent = (prompt: string) => Promise<void>;

export interface AgentSetting {
  readonly address: string;
  readonly fetch: typeof fetch;
  readonly streams: boolean;
  /** Default: the scripted model. */
  readonly model?: string;
  /** The system prompt. Default: a short one. */
  readonly system?: string;
}

/** The output of the tool: about a hundred tokens, different each time. */
export function fileText(name: string): string {
  return Array.from(
    { length: 40 },
    (_, line) => `${name} line ${line}: const value${line} = compute(${line * 7});`,
  ).join('\n');
}

const parameters = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };
const shortPrompt = 'You are a careful engineer.';

export function chatAgent({ address, fetch, streams, model = 'scripted', system = shortPrompt }: AgentSetting): Agent {
  const client = new OpenAI({ apiKey: 'secret', baseURL: `${address}/v1`, fetch, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: system }];
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'read_file', parameters } }];
  const body = () => ({ model, messages, tools });
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt });
    for (;;) {
      const completion = streams
        ? await client.chat.completions.stream(body()).finalChatCompletion()
        : await client.chat.completions.create(body());
      const message = completion.choices[0]?.message;
      if (!message) throw new Error('No answer');
      messages.push(message);
      if (!message.tool_calls?.length) return;
      for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: fileText(id) });
    }
  };
}

export function responsesAgent({
  address,
  fetch,
  streams,
  model = 'scripted',
  system = shortPrompt,
}: AgentSetting): Agent {
  const client = new OpenAI({ apiKey: 'secret', baseURL: `${address}/v1`, fetch, maxRetries: 0 });
  const input: OpenAI.Responses.ResponseInputItem[] = [];
  const tools = [{ type: 'function' as const, name: 'read_file', parameters, strict: false }];
  const include = ['reasoning.encrypted_content' as const];
  const body = () => ({ model, instructions: system, input, tools, store: false, include });
  return async (prompt) => {
    input.push({ role: 'user', content: prompt });
    for (;;) {
      const output = streams ? await streamed(client, body()) : (await client.responses.create(body())).output;
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
      const calls = output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) return;
      for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: fileText(call_id) });
    }
  };
}

async function streamed(
  client: OpenAI,
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
): Promise<OpenAI.Responses.ResponseOutputItem[]> {
  const items: OpenAI.Responses.ResponseOutputItem[] = [];
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === 'response.output_item.done') items.push(event.item);
  }
  return items;
}

export function messagesAgent({ address, fetch, streams, system = shortPrompt }: AgentSetting): Agent {
  const client = new Anthropic({ apiKey: 'secret', baseURL: address, fetch, maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [];
  const body = (): Anthropic.MessageCreateParamsNonStreaming => ({
    model: 'scripted',
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'read_file', input_schema: parameters }],
    messages,
  });
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt });
    for (;;) {
      const message = streams
        ? await client.messages.stream(body()).finalMessage()
        : await client.messages.create(body());
      messages.push({ role: 'assistant', content: message.content });
      const calls = message.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) return;
      const content = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: fileText(id) }));
      messages.push({ role: 'user', content });
    }
  };
}
