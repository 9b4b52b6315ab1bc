import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import {
  assistantText,
  forked,
  piecesFrom,
  projectedPieces,
  sentAsPieces,
  sentOf,
  userText,
} from '../../sessions/forking';
import { fixtures } from '../../sessions/samples';
import { answered, call, chained, compressed, fromUser, replied, result, said, system, text, thought } from './rows';

const sample = linesOf(join(fixtures, 'qwen-code-0.24', 'chats', '8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl')).filter(
  (line) => line !== '',
);

const rows = chained(
  system('s0', 'session_source', { sourceType: 'side_task' }),
  said('q1', 'go'),
  {
    ...replied('a1', thought('hm'), { ...call('c1'), thoughtSignature: 'signed' }),
    gitBranch: 'main',
    version: '0.24.4',
  },
  answered('r1', result('c1', 'done')),
  system('at', 'at_command', { userText: 'and @b' }),
  said('q2', 'and @b', '\n--- Content from referenced files ---', 'b'),
  replied('a2', text('finished')),
);

function promptOf(source: readonly unknown[], id: string): Entry {
  const entry = build(qwenCode, source).conversation.entries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`no entry ${id}`);
  return entry;
}

describe('a copy of a Qwen Code session', () => {
  it('copies the conversation under a new id', async () => {
    const { original, lines, session } = await forked(qwenCode, rows);
    expect(session.conversation.agentContext.map(sentParts)).toEqual(original.conversation.agentContext.map(sentParts));
    expect(lines.map((line) => JSON.parse(line).sessionId)).toEqual(lines.map(() => session.id));
    expect(session.id).not.toBe(original.id);
    expect(session.issues).toEqual([]);
  });

  it("leaves out the rows about the original's parent, and links the others", async () => {
    const { lines } = await forked(qwenCode, rows);
    expect(lines.map((line) => JSON.parse(line)).slice(0, 2)).toMatchObject([
      { uuid: 'q1', parentUuid: null },
      { uuid: 'a1', parentUuid: 'q1' },
    ]);
  });

  it('renames prompt ids that contain the session id', async () => {
    const telemetry = system('t', 'ui_telemetry', { uiEvent: { prompt_id: 'session########1' } });
    const { lines, session } = await forked(qwenCode, chained(said('q1', 'go'), telemetry));
    expect(lines[1]).toContain(`"${session.id}########1"`);
  });

  it('leaves out broken lines', async () => {
    const { session } = await forked(qwenCode, [...rows.slice(0, 3), '{"broken', ...rows.slice(3)]);
    expect(session.issues).toEqual([]);
    expect(sentOf(session.conversation.agentContext)).toHaveLength(6 - 1 + 1);
  });
});

describe('a branch of a Qwen Code session before a prompt', () => {
  it('contains the earlier rows of the branch without the at-command of the prompt', async () => {
    const { lines } = await forked(qwenCode, rows, { before: promptOf(rows, 'q2') });
    expect(lines.map((line) => JSON.parse(line).uuid)).toEqual(['q1', 'a1', 'r1']);
  });

  it('contains rows that a later compression replaced', async () => {
    const source = [...rows, ...chained({ ...compressed('k', fromUser(text('all'))), parentUuid: 'a2' })];
    const { session } = await forked(qwenCode, source, { before: promptOf(source, 'q2') });
    expect(sentOf(session.conversation.agentContext)).toEqual([
      'user: go',
      'assistant: (hm) + shell c1',
      'tool: c1 → done',
    ]);
  });

  it('leaves out the other branch', async () => {
    const [aside, prompt] = chained(
      { ...said('x', 'aside'), parentUuid: 'a2' },
      { ...said('q3', 'go on'), parentUuid: 'a2' },
    );
    const source = [...rows, aside, prompt];
    const { lines } = await forked(qwenCode, source, { before: promptOf(source, 'q3') });
    expect(lines.map((line) => JSON.parse(line).uuid)).not.toContain('x');
    expect(lines).toHaveLength(6);
  });

  it('a branch of a Qwen Code session before a prompt is refused if nothing precedes the prompt', async () => {
    await expect(forked(qwenCode, rows, { before: promptOf(rows, 'q1') })).rejects.toThrow('Nothing was said before');
  });
});

describe('a compacted fork of a Qwen Code session', () => {
  it('sends the block instead of the older messages', async () => {
    const { session } = await forked(qwenCode, rows, {
      pieces: (copy) => [userText('[SUMMARIZED] older'), ...piecesFrom(copy, 'q2')],
    });
    expect(sentOf(session.conversation.agentContext)).toEqual([
      'user: [SUMMARIZED] older',
      'user: and @b',
      'user: \n--- Content from referenced files --- + b',
      'assistant: finished',
    ]);
    expect(session.conversation.agentContext.map((entry) => entry.id).slice(1)).toEqual(['q2', 'q2:after', 'a2']);
    expect(session.conversation.agentCompactions).toMatchObject([
      { kind: 'summary', tokensBefore: 1000, tokensAfter: 100, replacedEntryIds: ['q1', 'a1', 'r1'] },
    ]);
  });

  it('copies replies with their signatures, and writes the user parts of a row as one message', async () => {
    const { lines } = await forked(qwenCode, rows, {
      pieces: (copy) => [assistantText('[SUMMARIZED] older'), ...piecesFrom(copy, 'a1')],
    });
    const row = JSON.parse(lines.at(-1) ?? '');
    expect(row).toMatchObject({
      parentUuid: 'a2',
      type: 'system',
      cwd: '/work',
      systemPayload: { info: { compressionStatus: 1 } },
    });
    expect(row.systemPayload.compressedHistory.slice(0, 4)).toMatchObject([
      { role: 'model', parts: [{ text: '[SUMMARIZED] older' }] },
      { role: 'model', parts: [{ text: 'hm', thought: true }, { thoughtSignature: 'signed' }] },
      { role: 'user', parts: [result('c1', 'done')] },
      { role: 'user', parts: [text('and @b'), text('\n--- Content from referenced files ---'), text('b')] },
    ]);
  });

  it('contains no text of the block or the core as a prompt', async () => {
    const { session } = await forked(qwenCode, rows, {
      pieces: (copy) => [
        userText('the core'),
        userText('[SUMMARIZED] older'),
        userText('<system-reminder>x</system-reminder>'),
        ...piecesFrom(copy, 'q2'),
      ],
    });
    const texts = session.conversation.agentContext.filter((entry) => entry.role === 'user');
    expect(texts.map(({ injected }) => injected ?? false)).toEqual([true, true, true, false, true]);
    expect(session.title).toBe('go');
  });

  it('a compacted fork of a Qwen Code session is refused if an image of the context is not in the file', async () => {
    const source = chained(said('q1', 'look', { fileData: { mimeType: 'image/png', fileUri: 'file:///a.png' } }));
    await expect(forked(qwenCode, source, { pieces: (copy) => piecesFrom(copy, 'q1') })).rejects.toThrow(
      'An image of this context is not in the session file',
    );
  });

  it('sends exactly the given pieces', async () => {
    const original = build(qwenCode, sample.slice(0, 53));
    await fc.assert(
      fc.asyncProperty(projectedPieces(original), async (pieces) => {
        const { session } = await forked(qwenCode, sample.slice(0, 53), { pieces: () => pieces });
        expect(sentOf(session.conversation.agentContext)).toEqual(sentAsPieces(pieces));
        expect(contextFaults(session.conversation.agentContext)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

function sentParts({ role, parts, id }: Entry): unknown {
  return { role, parts, id };
}
