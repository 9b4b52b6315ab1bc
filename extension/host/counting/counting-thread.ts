import { parentPort } from 'node:worker_threads';
import type { CountReply, CountRequest } from './messages';

/** Program of the counting thread. A separate bundle, the only one that loads the tokenizer at its start. */
const tokenizer = import('../../engine/conversation/tokenizer');

parentPort?.on('message', async ({ id, texts }: CountRequest) => {
  const { countWithO200k } = await tokenizer;
  const reply: CountReply = { id, counts: texts.map(countWithO200k) };
  parentPort?.postMessage(reply);
});
