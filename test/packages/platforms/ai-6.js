import { createOpenAI } from '@ai-sdk/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { createConversations } from 'strata-context';
import { strataMiddleware } from 'strata-context/ai-sdk';

// Run beside the oldest version of the AI SDK that the packed library accepts.

const [address, turns] = process.argv.slice(2);
const pins = [{ kind: 'constraint', text: 'Pinned for aiSdk.' }];
const middleware = strataMiddleware(await createConversations({ window: 16_000, pins }));
const provider = createOpenAI({ apiKey: 'none', baseURL: `${address}/v1` });
const model = wrapLanguageModel({ model: provider.chat('scripted'), middleware });
const longText = 'The parser drops keys in src/parser.ts. '.repeat(80);
const messages = [];
for (let turn = 0; turn < Number(turns); turn += 1) {
  messages.push({ role: 'user', content: `aiSdk: look at part ${turn}. ${longText}` });
  const { text } = await generateText({ model, messages });
  messages.push({ role: 'assistant', content: text });
}
