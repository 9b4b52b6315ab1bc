import type { WritingTools } from '../../engine/block/strategy';
import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { type CountTokens, TokenLedger } from '../../engine/conversation/tokens';
import { type PortableRun, portableRun } from '../../engine/run/prepare/portable-run';
import { prepareRun } from '../../engine/run/prepare/run';
import type { RunInput } from '../../engine/run/prepare/run-input';
import type { CopiedConversation, EntriesOrder, PrepareOrder } from './messages';

/** A compacting thread's copy of a conversation. */
export class ConversationCopy {
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
