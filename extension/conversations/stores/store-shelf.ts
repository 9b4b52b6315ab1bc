import { localizable } from '../../engine/wording/localizable-text';
import type { Beginning } from '../../sessions/strata/records';
import { ConversationGone, type ConversationShelf } from '../shelves/shelf';
import type { RecordStore, StoredConversation } from './record-store';
import { SharedConversation } from './shared-conversation';

export { StoredRecordUnreadable } from './shared-conversation';

/**
 * Conversations in a store, for `createConversations`. Messages and journal of a conversation are one sequence of records, so one round
 * trip reads both.
 */
export function storeShelf(store: RecordStore): ConversationShelf {
  return {
    async beginnings(begins, scope) {
      return (await store.find(scope ?? '', [begins])).map((stored) => beginningOf(stored, scope));
    },
    async create(beginning) {
      return await new SharedConversation(store, beginning).begun();
    },
    async open(id, scope) {
      const nothing = { id, begins: '', created: '', scope };
      const opened = new SharedConversation(store, nothing);
      await opened.refresh();
      if (opened.isEmpty) throw new ConversationGone(localizable('There is no conversation {0}.', id));
      return opened.shelved;
    },
    async openOrCreate(beginning) {
      return await new SharedConversation(store, beginning).begun();
    },
    async list(scope) {
      return (await store.list(scope ?? '')).map((stored) => beginningOf(stored, scope));
    },
  };
}

function beginningOf({ id, begins, name, created }: StoredConversation, scope: string | undefined): Beginning {
  return { id, begins, created, ...(name === null ? {} : { key: name }), ...(scope === undefined ? {} : { scope }) };
}
