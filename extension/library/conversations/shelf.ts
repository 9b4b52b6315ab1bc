import type { Journal } from '../../engine/acts/journal-access';
import type { Beginning } from '../../sessions/strata/records';
import { memoryJournal } from '../stores';
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
}

/** There is no such conversation, or not any more. */
export class ConversationGone extends Error {
  override name = 'ConversationGone';
}

/** Conversations that last as long as the program: at most so many, then the one that was opened longest ago is given up. */
export function memoryShelf(most = 100): ConversationShelf {
  const shelved = new Map<string, ShelvedConversation & { readonly beginning: Beginning }>();
  return {
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
      if (!one) throw new ConversationGone(`There is no conversation ${id} in memory any more.`);
      shelved.delete(id);
      shelved.set(id, one);
      return one;
    },
  };
}
