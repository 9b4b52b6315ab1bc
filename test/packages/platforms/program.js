/**
 * Uses the entries of the library that need no Node.js, with a model at an address. Nothing in this file depends on a
 * platform.
 */
import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { createAgent } from 'langchain';
import { createContext } from 'strata-context';
import { strataMiddleware as forAiSdk } from 'strata-context/ai-sdk';
import { compactingFetch } from 'strata-context/fetch';
import { strataMiddleware as forLangChain } from 'strata-context/langchain';
import { openAiModel } from 'strata-context/openai';
import { memoryStore, storeShelf } from 'strata-context/stores';

const optionsOf = (door) => ({ window: 16_000, pins: [{ kind: 'constraint', text: `Pinned for ${door}.` }] });

// At module scope, as in most programs. Workers allow neither requests nor timers nor random numbers there.
const send = compactingFetch(optionsOf('fetch'));
const aiSdk = forAiSdk({ ...optionsOf('aiSdk'), shelf: storeShelf(memoryStore()) });
const langchain = forLangChain(optionsOf('langchain'));
const checkpointer = new MemorySaver();

/** The histories of the entry points whose caller keeps the history. */
const histories = { fetch: [], aiSdk: [] };

const doors = {
  async fetch(address, prompt) {
    const messages = histories.fetch;
    messages.push({ role: 'user', content: prompt });
    const response = await send(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scripted', messages }),
    });
    const { choices } = await response.json();
    messages.push(choices[0].message);
  },

  async aiSdk(address, prompt) {
    const provider = createOpenAI({ apiKey: 'none', baseURL: `${address}/v1` });
    const model = wrapLanguageModel({ model: provider.chat('scripted'), middleware: aiSdk });
    const messages = histories.aiSdk;
    messages.push({ role: 'user', content: prompt });
    const { text } = await generateText({ model, messages });
    messages.push({ role: 'assistant', content: text });
  },

  async langchain(address, prompt) {
    const agent = createAgent({
      model: new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: `${address}/v1` } }),
      tools: [],
      middleware: [langchain],
      checkpointer,
    });
    const thread = { configurable: { thread_id: 'one' } };
    await agent.invoke({ messages: [new HumanMessage(prompt)] }, thread);
  },
};

const longText = 'The parser drops keys in src/parser.ts. '.repeat(80);

/** One turn through each entry point. */
export async function ask(address, turn) {
  for (const [name, door] of Object.entries(doors)) await door(address, `${name}: look at part ${turn}. ${longText}`);
}

/** Compacts with a model that writes the blocks. */
export async function compactAndUndo(address) {
  const model = openAiModel({ model: 'scripted', baseUrl: `${address}/v1` });
  const context = await createContext({ window: 16_000, model });
  for (let turn = 0; turn < 20; turn += 1) {
    await context.append({ role: 'user', content: `Look at part ${turn}.` }, { role: 'assistant', content: longText });
  }
  const before = JSON.stringify(context.messages());
  const { records } = await context.compact();
  await context.undo();
  return { blocks: records.length, isUndone: JSON.stringify(context.messages()) === before };
}
