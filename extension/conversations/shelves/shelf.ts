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

/** Stores many conversations. */
export interface ConversationShelf {
  /** Conversations that begin with this entry. */
  beginnings(begins: string): Promise<Beginning[]>;
  create(beginning: Beginning): Promise<ShelvedConversation>;
  /** Throws if there is none with this id. */
  open(id: string): Promise<ShelvedConversation>;
  /** Called for each request that continues this conversation, for shelves that drop unused ones. */
  used?(id: string): void;
}

/** A shelf in memory. */
export interface MemoryShelf extends ConversationShelf {
  has(id: string): boolean;
  used(id: string): void;
}

/** The conversation does not exist, or no longer does. */
export class ConversationGone extends LocalizableError {
  override name = 'ConversationGone';
}

/** A shelf in memory for at most this many conversations; drops the least recently used one. */
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
