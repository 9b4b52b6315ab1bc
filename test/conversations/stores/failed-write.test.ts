import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConversationGone } from '../../../extension/conversations/shelves/shelf';
import { folderStore } from '../../../extension/conversations/stores/folder-store';
import { SharedConversation } from '../../../extension/conversations/stores/shared-conversation';
import type { ConversationRecord } from '../../../extension/sessions/strata/records';
import { collectGarbage } from '../../builders/collected-garbage';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();

it('a failed write to a store leaves none of its records in memory', async () => {
  const folder = join(newFolder(), 'store');
  const created = '2026-01-01T00:00:00.000Z';
  const shared = new SharedConversation(folderStore({ folder }), { id: 'one', begins: 'Hello.', created });
  const { conversation } = await shared.begun();
  rmSync(folder, { recursive: true });
  const written = async () => {
    const record: ConversationRecord = { type: 'limit', model: 'm', contextWindow: 8_000 };
    await expect(conversation.write([record])).rejects.toThrow(ConversationGone);
    return new WeakRef(record);
  };
  const record = await written();
  await collectGarbage();
  expect(record.deref()).toBeUndefined();
});
