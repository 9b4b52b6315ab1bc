import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { EditorConversation } from '../../extension/host/conversations/editor-conversations';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { receivedConversation } from '../../extension/middleware/recognition/received-entries';
import type { EntryRecord } from '../../extension/sessions/strata/records';
import { ownConversations } from '../builders/own-conversations';
import { median, report } from './measure';

/** Measures the cost of a growing chat, as the ratio of a long conversation to one of a quarter of its length. */

const long = 20_000;
const short = long / 4;

/** Every second entry is the person's. */
function entries(count: number): EntryRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    type: 'entry',
    parent: at === 0 ? null : `e${at - 1}`,
    entry: {
      id: `e${at}`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      parts: [{ type: 'text', text: `Entry ${at} says something about module ${at}. `.repeat(10) }],
      timestamp: null,
    },
  }));
}

async function conversationOf(count: number, root: string): Promise<EditorConversation> {
  const conversation = await ownConversations(root).create('chat');
  await conversation.append(entries(count));
  return conversation;
}

/** Writes one piece of an answer, and projects what would be sent. */
async function streamPiece(conversation: EditorConversation): Promise<number> {
  const { leaf } = conversation;
  const time = '2026-01-01T00:00:00Z';
  const part = { type: 'text', text: 'more ' } as const;
  await conversation.append([{ type: 'piece', parent: leaf, id: 'reply', time, part }]);
  return conversation.workbench.context.tokens.total;
}

function messages(count: number): ReceivedMessage[] {
  return entries(count).map(({ entry }) => ({ role: entry.role, parts: entry.parts }) as ReceivedMessage);
}

describe('a chat', () => {
  it('that grows costs for what is added', async () => {
    const root = await mkdtemp(join(tmpdir(), 'strata-bench-'));
    try {
      const [small, large] = [await conversationOf(short, root), await conversationOf(long, root)];
      // The first projection counts all of it.
      await streamPiece(small);
      await streamPiece(large);
      report({
        what: 'a piece of an answer, written and projected',
        baseline: `${short} entries`,
        baselineMs: await median(15, () => streamPiece(small)),
        measured: `${long} entries`,
        measuredMs: await median(15, () => streamPiece(large)),
        inputRatio: long / short,
      });
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('through a Strata model is recognised in time that grows with the request', async () => {
    const [small, large] = [messages(short), messages(long)];
    report({
      what: 'recognising a request by its content',
      baseline: `${short} messages`,
      baselineMs: await median(5, () => receivedConversation(small, '')),
      measured: `${long} messages`,
      measuredMs: await median(5, () => receivedConversation(large, '')),
      inputRatio: long / short,
    });
  });
});
