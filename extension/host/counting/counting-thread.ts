import { parentPort } from 'node:worker_threads';
import type { CountReply, CountRequest } from './messages';

/** The whole program of the counting thread: a bundle of its own, which alone loads the tokenizer with its start. */
const tokenizer = import('../../engine/conversation/tokenizer');

parentPort?.on('message', async ({ id, texts }: CountRequest) => {
  const { countWithO200k } = await tokenizer;
  const reply: CountReply = { id, counts: texts.map(countWithO200k) };
  parentPort?.postMessage(reply);
});
