import { describe, expect, it } from 'vitest';
import { textOf } from '../../extension/engine/conversation/entry';
import type { EditorConversation } from '../../extension/host/conversations/editor-conversations';
import type { EntryRecord } from '../../extension/sessions/strata/records';
import { ownConversations } from '../builders/own-conversations';
import { temporaryFolders } from '../sessions/temporary';

/** Tests of a conversation that Strata stores itself and that several processes continue. */

const temporaryFolder = temporaryFolders();

function said(id: string, parent: string | null, text: string, role: 'user' | 'assistant' = 'user'): EntryRecord {
  return { type: 'entry', parent, entry: { id, role, parts: [{ type: 'text', text }], timestamp: null } };
}

async function created() {
  const root = temporaryFolder();
  return { root, conversation: await ownConversations(root).create('chat') };
}

function texts({ workbench }: EditorConversation): string[] {
  return workbench.context.messages.map(({ parts }) => textOf(parts));
}

describe('a conversation of Strata’s own', () => {
  it('does not bring the goal back that the person edited away', async () => {
    const { conversation } = await created();
    await conversation.append([said('m1', null, 'Write it in Python'), said('a1', 'm1', 'Yes.', 'assistant')]);
    await conversation.goTo(null);
    await conversation.append([said('m2', null, 'Write it in Rust')]);
    await conversation.workbench.coreEditor.pin('constraint', 'no unsafe code', null);
    const sent = texts(conversation).join('\n');
    expect(sent).toContain('no unsafe code');
    expect(sent).toContain('Write it in Rust');
    expect(sent).not.toContain('Python');
  });

  it('goes back to an earlier message even while other windows continue other branches', async () => {
    const { root, conversation } = await created();
    await conversation.append([said('m1', null, 'mine')]);
    const other = await ownConversations(root).open(conversation.id);
    const intruding = Array.from({ length: 20 }, (_, at) => other.append([said(`o${at}`, null, `theirs ${at}`)]));
    for (let at = 0; at < 10; at += 1) {
      await conversation.goTo('m1');
      expect(texts(conversation)).toEqual(['mine']);
    }
    await Promise.all(intruding);
  });

  it('a conversation of Strata’s own is the same for another window once that has looked', async () => {
    const { root, conversation } = await created();
    const other = await ownConversations(root).open(conversation.id);
    await conversation.append([said('m1', null, 'hello'), said('a1', 'm1', 'hi', 'assistant')]);
    await conversation.workbench.coreEditor.pin('goal', 'be kind', null);
    await other.refresh();
    expect(other.workbench.context).toEqual(conversation.workbench.context);
    expect(other.leaf).toBe('a1');
  });
});
