import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../extension/engine/conversation/entry';
import { OwnConversation } from '../../extension/inspection/own-conversation';
import type { EntryRecord } from '../../extension/sessions/strata/records';
import { temporaryFolders } from '../sessions/temporary';

/** A conversation that Strata keeps itself, and those who go on in it. */

const temporaryFolder = temporaryFolders();

function said(id: string, parent: string | null, text: string, role: 'user' | 'assistant' = 'user'): EntryRecord {
  return { type: 'entry', parent, entry: { id, role, parts: [{ type: 'text', text }], timestamp: null } };
}

async function created() {
  const root = temporaryFolder();
  const folders = { conversations: join(root, 'conversations'), journals: join(root, 'journals') };
  const header = { id: randomUUID(), time: '2026-01-01T00:00:00Z', cwd: null, madeBy: 'chat' } as const;
  return { folders, conversation: await OwnConversation.create(folders, header, 100_000) };
}

function texts({ inspection }: OwnConversation): string[] {
  return inspection.context.messages.map(({ parts }) => textOf(parts));
}

describe('a conversation of Strata’s own', () => {
  it('does not bring the goal back that the person edited away', async () => {
    const { conversation } = await created();
    await conversation.append([said('m1', null, 'Write it in Python'), said('a1', 'm1', 'Yes.', 'assistant')]);
    await conversation.goTo(null);
    await conversation.append([said('m2', null, 'Write it in Rust')]);
    await conversation.inspection.pin('constraint', 'no unsafe code', null);
    const sent = texts(conversation).join('\n');
    expect(sent).toContain('no unsafe code');
    expect(sent).toContain('Write it in Rust');
    expect(sent).not.toContain('Python');
  });

  it('goes back to its place also while other windows go on elsewhere in it', async () => {
    const { folders, conversation } = await created();
    await conversation.append([said('m1', null, 'mine')]);
    const other = await OwnConversation.open(folders, conversation.id, 100_000);
    const intruding = Array.from({ length: 20 }, (_, at) => other.append([said(`o${at}`, null, `theirs ${at}`)]));
    for (let at = 0; at < 10; at += 1) {
      await conversation.goTo('m1');
      expect(texts(conversation)).toEqual(['mine']);
    }
    await Promise.all(intruding);
  });

  it('is the same for another window once that has looked', async () => {
    const { folders, conversation } = await created();
    const other = await OwnConversation.open(folders, conversation.id, 100_000);
    await conversation.append([said('m1', null, 'hello'), said('a1', 'm1', 'hi', 'assistant')]);
    await conversation.inspection.pin('goal', 'be kind', null);
    await other.refresh();
    expect(other.inspection.context).toEqual(conversation.inspection.context);
    expect(other.leaf).toBe('a1');
  });
});
