// A process with an agent, a checkpointer in Postgres, and Strata. It prints each step once it is done.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { createAgent } from 'langchain';

const { library, address, steps } = JSON.parse(process.argv[2] ?? '');
const { strataMiddleware, threadContext } = await import(pathToFileURL(`${library}/langchain.js`).href);

const tell = (said) => writeSync(1, `${JSON.stringify(said)}\n`);

class Model extends BaseChatModel {
  sent = '';

  constructor() {
    super({ maxRetries: 0 });
  }

  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate(said) {
    this.sent = JSON.stringify(said.map(({ type, content }) => [type, content]));
    if (said.at(-1)?.content.startsWith('Die')) process.kill(process.pid, 'SIGKILL');
    const message = new AIMessage(`Answer ${said.filter(({ type }) => type === 'human').length}.`);
    return { generations: [{ text: message.text, message }] };
  }
}

const options = { window: 16_000, countTokens: (text) => Math.ceil(text.length / 4), automation: { enabled: false } };
const checkpointer = PostgresSaver.fromConnString(address);
await checkpointer.setup();
const model = new Model();
const agent = createAgent({ model, tools: [], middleware: [strataMiddleware(options)], checkpointer });
const thread = { configurable: { thread_id: 'thread-7' } };

for (const { ask, pin, does } of steps) {
  if (ask !== undefined) await agent.invoke({ messages: [new HumanMessage(ask)] }, thread);
  const context = ask === undefined ? await threadContext(agent, thread, options) : null;
  if (pin !== undefined) await context.pin('constraint', pin);
  if (does === 'compact') await context.compact();
  if (does === 'undo') await context.undo();
  tell(ask === undefined ? 'done' : model.sent);
}
await checkpointer.end();
