import type { CounterName, CountTokens } from '../../engine/conversation/tokens';
import { type ServedRequest, serveOwner } from '../../platform/threads/serve-owner';
import { askedTools } from './asked-tools';
import { ConversationCopy } from './copied-conversation';
import type { CompactingContract, EntriesOrder, PrepareOrder } from './messages';

/** Program of a compacting thread. */

const copies = new Map<number, Promise<ConversationCopy>>();

serveOwner<CompactingContract>({
  async count({ counter, texts }) {
    const count = await counterNamed(counter);
    return texts.map((text) => count(text));
  },
  async entries(order) {
    (await copyOf(order)).add(order);
  },
  prepare,
  forget({ copy }) {
    copies.delete(copy);
  },
});

/** Requests are handled in order; each copy waits only for its counter. */
function copyOf({ copy, counter }: Pick<EntriesOrder, 'copy' | 'counter'>): Promise<ConversationCopy> {
  const known = copies.get(copy) ?? counterNamed(counter).then((count) => new ConversationCopy(count));
  copies.set(copy, known);
  return known;
}

async function prepare(
  { tools, ...order }: PrepareOrder,
  { signal, onProgress, ask }: ServedRequest<CompactingContract>,
) {
  const copy = await copyOf(order);
  const asking = { ask, placeOf: (entry: Parameters<ConversationCopy['placeOf']>[0]) => copy.placeOf(entry) };
  return await copy.prepare(order, {
    signal,
    tools: askedTools(tools, asking),
    ...(order.input.hasProgress ? { onProgress } : {}),
  });
}

/** Loads the tables of a counter, which takes a while. */
async function counterNamed(name: CounterName): Promise<CountTokens> {
  switch (name) {
    case 'o200k':
      return (await import('../../engine/conversation/tokenizer')).countWithO200k;
    case 'estimate':
      return (await import('../../engine/conversation/token-estimate')).estimateTokens;
  }
}
