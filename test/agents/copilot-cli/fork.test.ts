import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copilotCli } from '../../../extension/agents/copilot-cli/format/adapter';
import { isPrompt } from '../../../extension/engine/conversation/entry';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import {
  forked,
  personsWords,
  personsWordsIn,
  piecesFrom,
  projectedPieces,
  sentAsPieces,
  sentOf,
  userText,
  withoutMiddle,
} from '../../sessions/forking';
import { picture } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';

const state = join(fixtures, 'copilot-cli-1.0.102', 'session-state');
const lines = linesOf(join(state, 'dd198c05-81ff-4b86-8036-11283dc5ced1', 'events.jsonl')).filter(
  (line) => line !== '',
);
const prompts = build(copilotCli, lines).conversation.entries.filter(isPrompt);

describe('a copy of a Copilot CLI session', () => {
  it('a copy of a Copilot CLI session has the conversation under a new id, in a folder of its own', async () => {
    const { original, session } = await forked(copilotCli, lines);
    expect(session.id).not.toBe(original.id);
    expect(sentOf(session.conversation.agentContext)).toEqual(sentOf(original.conversation.agentContext));
    const place = copilotCli.fork?.place(
      { ...original, file: '/state/old/events.jsonl' },
      { uuid: () => 'new', now: () => new Date() },
    );
    expect(place).toEqual({ id: 'new', file: join('/state', 'new', 'events.jsonl') });
  });

  it('a copy of a Copilot CLI session before a prompt has the messages before it, including those that a compaction replaced', async () => {
    for (const before of prompts.slice(1)) {
      const { session } = await forked(copilotCli, lines, { before });
      const then = build(copilotCli, lines.slice(0, before.origin.line - 1));
      expect(sentOf(session.conversation.agentContext)).toEqual(sentOf(then.conversation.agentContext));
    }
  });

  it('a copy of a Copilot CLI session is refused before the first prompt, before one that has moved, and of a subagent', async () => {
    const [first, , third] = prompts;
    if (first === undefined || third === undefined) throw new Error('The sample has too few prompts');
    await expect(forked(copilotCli, lines, { before: first })).rejects.toThrow('Nothing was said before this prompt');
    const moved = forked(copilotCli, lines, { before: third, changedTo: withoutMiddle(lines) });
    await expect(moved).rejects.toThrow('no longer where it was read');
    const original = { ...build(copilotCli, lines), parent: { file: null, callId: null } };
    const copy = copilotCli.fork?.copy({
      original,
      place: { id: 'new', file: 'new' },
      lines: () => {
        throw new Error('A subagent has nothing to copy');
      },
      before: null,
      chance: { uuid: () => 'new', now: () => new Date() },
    });
    await expect(copy?.[Symbol.asyncIterator]().next()).rejects.toThrow('cannot resume the conversation of a subagent');
  });
});

describe('a compacted copy of a Copilot CLI session', () => {
  it('clears the context and says the messages again', async () => {
    const { session, lines: written } = await forked(copilotCli, lines.slice(0, 35), {
      pieces: (copy) => [userText('the block'), ...piecesFrom(copy, prompts[1]?.id ?? '')],
    });
    expect(JSON.parse(written[35] ?? '')).toMatchObject({
      type: 'session.context_cleared',
      data: { initialMessage: 'the block' },
    });
    expect(picture(session.conversation.agentContext).slice(1, 4)).toEqual([
      'summary: the block',
      'user: TOOLS=1 PARALLEL both at once',
      expect.stringContaining('bash call_'),
    ]);
  });

  it('sends what was asked for, and nothing that a provider would refuse', async () => {
    const source = lines.slice(0, 48);
    const original = build(copilotCli, source);
    await fc.assert(
      fc.asyncProperty(projectedPieces(original), async (pieces) => {
        const { session } = await forked(copilotCli, source, { pieces: () => pieces });
        const { entries, agentContext } = session.conversation;
        expect(sentOf(agentContext)).toEqual(sentAsPieces(pieces));
        expect(personsWords(agentContext)).toEqual(personsWordsIn(pieces));
        expect(contextFaults(agentContext)).toEqual([]);
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      }),
      { numRuns: 25 },
    );
  });
});
