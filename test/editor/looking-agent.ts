import OpenAI from 'openai';
import type { Message } from './strata-files.ts';

export function messagesIn(body: string): readonly Message[] {
  return JSON.parse(body).messages;
}

const look = {
  type: 'function',
  function: { name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } },
} as const;

function seen(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `Line ${index} of the part says what it says.`).join('\n');
}

interface LookingOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly lines?: number;
  readonly calls?: number;
}

/** A program with OpenAI's own client. It keeps its whole history, and uses a tool in each turn. */
export class LookingAgent {
  /** The newest request as the agent sent it. */
  sent = '';
  #client: OpenAI;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lines: number;
  readonly #calls: number;
  #looks = 1;
  readonly #messages: OpenAI.ChatCompletionMessageParam[] = [];

  /**
   * `headers` are sent with each request. `lines` is the length of each tool output, and `calls` the number of calls in
   * a turn.
   */
  constructor(baseURL: string, { headers = {}, lines = 30, calls = 1 }: LookingOptions = {}) {
    this.#client = this.#clientOf(baseURL, headers);
    this.#headers = headers;
    this.#lines = lines;
    this.#calls = calls;
  }

  /** Uses another server from now on. */
  goThrough(baseURL: string): void {
    this.#client = this.#clientOf(baseURL, this.#headers);
  }

  #clientOf(baseURL: string, headers: Readonly<Record<string, string>>): OpenAI {
    const recording: typeof fetch = (input, init) => {
      this.sent = String(init?.body);
      return fetch(input, init);
    };
    return new OpenAI({ baseURL, apiKey: 'a-key', maxRetries: 0, fetch: recording, defaultHeaders: headers });
  }

  async turn(number: number): Promise<void> {
    await this.say(`turn-${number} look at part ${number} TOOLS=${this.#calls}`);
  }

  /** Sends a message, and continues until the model answers without using the tool. */
  async say(content: string): Promise<void> {
    this.#messages.push({ role: 'user', content });
    for (;;) {
      const { content, tool_calls: calls = [] } = await this.#ask();
      this.#messages.push({ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) });
      if (calls.length === 0) return;
      for (const { id } of calls) {
        this.#messages.push({
          role: 'tool',
          tool_call_id: id,
          content: `Part ${this.#looks++}:\n${seen(this.#lines)}`,
        });
      }
    }
  }

  async #ask(): Promise<OpenAI.ChatCompletionMessage> {
    const body = { model: 'scripted', messages: [...this.#messages], tools: [look] };
    return await this.#client.chat.completions.stream(body).finalMessage();
  }
}
