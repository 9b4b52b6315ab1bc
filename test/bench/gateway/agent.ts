import { chatApi } from '../../gateway/apis';
import { ask, begun } from '../../gateway/asking';

const answer = 'Fine.';
const events = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: answer } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];

/** The body of each answer. */
export const streamed = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;

export const headers = { 'content-type': 'application/json' };

/** An agent with a conversation of this many messages that continues. Every second message is the model's. */
export class Agent {
  readonly #said: string[];

  /** `repeats`: each prompt is 43 characters repeated this many times. */
  constructor(
    private readonly address: string,
    count: number,
    name = '',
    repeats = 10,
  ) {
    this.#said = Array.from({ length: count - 1 }, (_, at) =>
      at % 2 === 1 ? answer : `${name}Entry ${at} says something about module ${at}. `.repeat(repeats),
    );
  }

  /** Writes the next request. */
  next(): Buffer {
    return Buffer.from(chatApi.body(...this.#said));
  }

  goesOn(): void {
    this.#said.push(answer, 'Go on.');
  }

  /** Milliseconds until the answer was received. */
  async asks(body = this.next()): Promise<number> {
    const began = performance.now();
    const { status } = await ask(this.address, { headers, body });
    if (status !== 200) throw new Error(`The answer was ${status}.`);
    this.goesOn();
    return performance.now() - began;
  }

  /** Milliseconds until the first byte of the answer, which is received whole. */
  async firstByte(body = this.next()): Promise<number> {
    const began = performance.now();
    const response = await begun(this.address, { headers, body }).response;
    await new Promise((resolve) => response.once('readable', resolve));
    const ms = performance.now() - began;
    for await (const _ of response);
    this.goesOn();
    return ms;
  }
}

export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
