import type { WritingTools } from '../../engine/block/strategy';
import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { type CounterName, type CountTokens, TokenLedger } from '../../engine/conversation/tokens';
import { type PortableRun, portableRun } from '../../engine/run/prepare/portable-run';
import { prepareRun } from '../../engine/run/prepare/run';
import type { RunInput } from '../../engine/run/prepare/run-input';
import { type ServedRequest, serveOwner } from '../../platform/threads/serve-owner';
import { askedTools } from './asked-tools';
import type { CompactingContract, CopiedConversation, EntriesOrder, PrepareOrder } from './messages';

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

/** A compacting thread's copy of a conversation. */
class ConversationCopy {
  readonly #entries: Entry[] = [];
  readonly #places = new Map<Entry, number>();
  readonly #ledger: TokenLedger;

  constructor(countTokens: CountTokens) {
    this.#ledger = new TokenLedger(countTokens);
  }

  add({ entries, counts }: Pick<EntriesOrder, 'entries' | 'counts'>): void {
    let at = 0;
    for (const entry of entries) {
      this.#places.set(entry, this.#entries.length);
      this.#entries.push(entry);
      for (const part of entry.parts) {
        const known = counts[at] ?? -1;
        if (known >= 0) this.#ledger.add(part, known);
        at += 1;
      }
    }
  }

  placeOf(entry: Entry): number {
    const place = this.#places.get(entry);
    if (place === undefined) throw new Error(`The entry ${entry.id} is not in the copy of the conversation.`);
    return place;
  }

  async prepare(
    { conversation, input }: Pick<PrepareOrder, 'conversation' | 'input'>,
    around: Pick<RunInput, 'signal' | 'onProgress'> & { readonly tools: WritingTools },
  ): Promise<PortableRun> {
    return portableRun(
      await prepareRun({
        ...input,
        ...around,
        conversation: this.#conversation(conversation),
        ledger: this.#ledger,
        now: () => new Date().toISOString(),
        clock: () => performance.now(),
      }),
    );
  }

  #conversation({ entries, agentContext, ...rest }: CopiedConversation): Conversation {
    return { ...rest, entries: this.#at(entries), agentContext: this.#at(agentContext) };
  }

  #at(places: Uint32Array): Entry[] {
    return Array.from(places, (place) => {
      const entry = this.#entries[place];
      if (entry === undefined) throw new Error(`The copy of the conversation has no entry ${place}.`);
      return entry;
    });
  }
}
