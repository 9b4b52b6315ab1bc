import { serveOwner } from '../../platform/threads/serve-owner';
import type { CountingContract } from './counter';

/** Program of the counting thread. A separate bundle, the only one that loads the tokenizer at its start. */
const tokenizer = import('../../engine/conversation/tokenizer');

serveOwner<CountingContract>({
  async count(texts) {
    const { countWithO200k } = await tokenizer;
    return texts.map(countWithO200k);
  },
});
