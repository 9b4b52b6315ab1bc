import type { Journal } from '../../engine/journal/journal-access';
import { LocalizableError, type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import type { Beginning } from '../../sessions/strata/records';
import { memoryJournal } from './memory-journal';
import { memoryRecorded, type RecordedConversation } from './recorded';

/** One conversation with its journal. */
export interface ShelvedConversation {
  readonly conversation: RecordedConversation;
  readonly journal: Journal;
}

/** Stores many conversations. Those of one scope are in no answer to a question about another. */
export interface ConversationShelf {
  /** Conversations of this scope that begin with this entry. */
  beginnings(begins: string, scope?: string): Promise<Beginning[]>;
  create(beginning: Beginning): Promise<ShelvedConversation>;
  /** Throws if there is none with this id in this scope. */
  open(id: string, scope?: string): Promise<ShelvedConversation>;
  /** The conversation with the id and scope of this beginning; creates it if there is none. */
  openOrCreate(beginning: Beginning): Promise<ShelvedConversation>;
  /** All conversations of this scope, in any order. */
  list(scope?: string): Promise<Beginning[]>;
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

/** Default size of a shelf in memory, in conversations. */
export const usualShelf = 1_000;

/** A shelf in memory for at most this many conversations; drops the least recently used one, and says which. */
export function memoryShelf(
  most = usualShelf,
  onEvicted: (beginning: Beginning) => void = (beginning) => console.warn(`strata: ${evictedText(beginning, most)}`),
): MemoryShelf {
  const shelved = new Map<string, ShelvedConversation & { readonly beginning: Beginning }>();
  const used = (id: string) => {
    const one = shelved.get(id);
    if (!one) return;
    shelved.delete(id);
    shelved.set(id, one);
  };
  const find = (id: string, scope: string | undefined) => {
    const one = shelved.get(id);
    if (one?.beginning.scope !== scope) return null;
    used(id);
    return one ?? null;
  };
  const create = async (beginning: Beginning) => {
    const { id } = beginning;
    const journal = memoryJournal({ agent: 'strata', id, file: '' });
    const one = { beginning, conversation: memoryRecorded(), journal };
    shelved.set(id, one);
    const [oldest] = shelved.values();
    if (shelved.size > most && oldest !== undefined) {
      shelved.delete(oldest.beginning.id);
      onEvicted(oldest.beginning);
    }
    return one;
  };
  const list = async (scope?: string) =>
    [...shelved.values()].map(({ beginning }) => beginning).filter((one) => one.scope === scope);
  return {
    used,
    has: (id) => shelved.has(id),
    list,
    beginnings: async (begins, scope) => (await list(scope)).filter((one) => one.begins === begins),
    create,
    openOrCreate: async (beginning) => find(beginning.id, beginning.scope) ?? (await create(beginning)),
    async open(id, scope) {
      const one = find(id, scope);
      if (one === null) throw new ConversationGone(localizable('The conversation {0} is no longer in memory.', id));
      return one;
    },
  };
}

/** Why a conversation is no longer in memory, by its key and scope. */
export function evictedText(beginning: Beginning, most: number): LocalizableText {
  const name = nameOfConversation(beginning);
  return localizable(
    'The conversation {0} is no longer in memory, with its pins and compactions: there is room for {1}.',
    name,
    most,
  );
}

/** The name of a conversation in messages. */
export function nameOfConversation({ id, key, scope }: Pick<Beginning, 'id' | 'key' | 'scope'>): string {
  return `${key ?? id}${scope === undefined ? '' : ` of ${scope}`}`;
}
