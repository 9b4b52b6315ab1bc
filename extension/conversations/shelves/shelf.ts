import type { Journal } from '../../engine/journal/journal-access';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import type { Beginning } from '../../sessions/strata/records';
import { memoryJournal } from './memory-journal';
import { memoryRecorded, type RecordedConversation } from './recorded';

/** One conversation with its journal. */
export interface ShelvedConversation {
  readonly conversation: RecordedConversation;
  readonly journal: Journal;
}

/** Where many conversations are kept. */
export interface ConversationShelf {
  /** Those that begin with this entry. */
  beginnings(begins: string): Promise<Beginning[]>;
  create(beginning: Beginning): Promise<ShelvedConversation>;
  /** Throws where there is none of this id. */
  open(id: string): Promise<ShelvedConversation>;
  /** A request goes on with this conversation, which may be open since long: for shelves that give up what is no longer used. */
  used?(id: string): void;
}

/** A shelf whose conversations last as long as the program. */
export interface MemoryShelf extends ConversationShelf {
  has(id: string): boolean;
  used(id: string): void;
}

/** There is no such conversation, or not any more. */
export class ConversationGone extends LocalizableError {
  override name = 'ConversationGone';
}

/** Conversations that last as long as the program: at most so many, then the one that was used longest ago is given up. */
export function memoryShelf(most = 100): MemoryShelf {
  const shelved = new Map<string, ShelvedConversation & { readonly beginning: Beginning }>();
  const used = (id: string) => {
    const one = shelved.get(id);
    if (!one) return;
    shelved.delete(id);
    shelved.set(id, one);
  };
  return {
    used,
    has: (id) => shelved.has(id),
    async beginnings(begins) {
      return [...shelved.values()].map(({ beginning }) => beginning).filter((one) => one.begins === begins);
    },
    async create(beginning) {
      const { id } = beginning;
      const one = {
        beginning,
        conversation: memoryRecorded(),
        journal: memoryJournal({ agent: 'strata', id, file: '' }),
      };
      shelved.set(id, one);
      const [oldest] = shelved.keys();
      if (shelved.size > most && oldest !== undefined) shelved.delete(oldest);
      return one;
    },
    async open(id) {
      const one = shelved.get(id);
      if (!one) throw new ConversationGone(localizable('The conversation {0} is no longer in memory.', id));
      used(id);
      return one;
    },
  };
}
