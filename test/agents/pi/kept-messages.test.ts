import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../extension/agents/pi/format/adapter';
import { type Entry, textOf, toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import { openSession } from '../../../extension/sessions/open';
import { piSession } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { forked } from '../../sessions/forking';
import { nowhere, temporaryFolders } from '../../sessions/temporary';
import { compaction, first, messages, multiple, type Said, single } from './messages-by-name';

/**
 * Tests of compactions that say how many messages before them stay (`keepLastMessages`), in a file without a header.
 */

const temporary = temporaryFolders();

/** The context of these records, read as a session of pi. */
function contextOf(...records: readonly Said[]): string {
  return named(piSession(records).conversation.agentContext);
}

function named(entries: readonly Entry[]): string {
  return entries.map((entry) => (entry.summary ? `[${nameOf(entry)}]` : nameOf(entry))).join(', ');
}

function nameOf({ parts }: Entry): string {
  return (
    textOf(parts) ||
    toolResults(parts)
      .map(({ text }) => text)
      .join('+')
  );
}

/** A file of these records, opened as a person would open it. */
async function opened(records: readonly Said[]): Promise<Inspection> {
  const folder = temporary();
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  const outcome = await openSession(file, { environment: nowhere });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id } = outcome.session;
  return await Inspection.of(outcome.session, await openJournal(join(folder, 'journals'), { agent, id, file }));
}

describe('a compaction that keeps the last messages', () => {
  it('sends its summary, the messages that it kept, and those after it', () => {
    expect(contextOf(...single)).toBe('[one], u4, a4, t4, a4');
    expect(contextOf(...single, ...messages('u5, a5'))).toBe('[one], u4, a4, t4, a4, u5, a5');
  });

  it('counts from the newest of several, and keeps a turn as a whole', () => {
    expect(contextOf(...multiple)).toBe('[two], u6, a6, t6, a6, u7, a7');
    expect(contextOf(...multiple, ...messages('u8, a8'))).toBe('[two], u6, a6, t6, a6, u7, a7, u8, a8');
  });

  it.each([10, 8])('never keeps more than there is after the compaction before it (%i)', (kept) => {
    const records = [...single, ...messages('u5, a5, u6, a6, u7, a7'), compaction('two', kept)];
    expect(contextOf(...records)).toBe('[two], u5, a5, u6, a6, u7, a7');
  });

  it('keeps no messages if it says 0, and all if the newest turn began before the boundary', () => {
    expect(contextOf(...first, compaction('one', 0), ...messages('u5'))).toBe('[one], u5');
    const cut = [...first, ...messages('u5'), compaction('one', 1), ...messages('a5, t5, a5'), compaction('two', 2)];
    expect(contextOf(...cut)).toBe('[two], a5, t5, a5');
  });

  it('lists each compaction with what it replaced', () => {
    const { agentCompactions, entries } = piSession(multiple).conversation;
    const nameById = new Map(entries.map((entry) => [entry.id, entry.summary ? `[${nameOf(entry)}]` : nameOf(entry)]));
    expect(
      agentCompactions.map(({ replacedEntryIds }) => replacedEntryIds.map((id) => nameById.get(id)).join(', ')),
    ).toEqual(['u1, a1, t1, t1, a1, u2, a2, u3, a3, t3, a3, t3, a3', '[one], u4, a4, t4, a4, u5, a5']);
    expect(agentCompactions.map(({ kind, tokensBefore }) => [kind, tokensBefore])).toEqual([
      ['summary', 1000],
      ['summary', 1000],
    ]);
  });

  it('splits no turn and crosses no boundary, whatever number it says', () => {
    const turn = fc.constantFrom('u0, a0', 'u0, a0, t0, a0', 'u0, a0, t0, t0, a0, t0, a0', 'u0');
    const stretch = fc.tuple(fc.array(turn, { minLength: 1, maxLength: 5 }), fc.nat({ max: 30 }));
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 4 }), (stretches) => {
        const records = stretches.flatMap(([turns, kept]) => [...messages(turns.join(', ')), compaction('s', kept)]);
        const { agentContext } = piSession(records).conversation;
        const [turns = [], kept = 0] = stretches.at(-1) ?? [];
        const said = agentContext.slice(1);
        expect(contextFaults(agentContext)).toEqual([]);
        expect(agentContext[0]?.summary).toBe(true);
        expect(said.length).toBeGreaterThanOrEqual(Math.min(kept, messages(turns.join(', ')).length));
        expect(turns.join(', ').endsWith(named(said))).toBe(true);
        expect(kept === 0 ? 'none' : said[0]?.role).toBe(kept === 0 ? 'none' : 'user');
      }),
    );
  });
});

describe('a file without a header', () => {
  it('opens as a session of pi under the name of its file, with nothing to complain of', async () => {
    const { session, conversation, context } = await opened(multiple);
    expect(session).toMatchObject({ agent: 'pi', id: 'session', title: 'u1', issues: [] });
    expect(conversation.entries).toHaveLength(27);
    expect(named(conversation.agentContext)).toBe('[two], u6, a6, t6, a6, u7, a7');
    expect(context.messages.map(({ role, kind }) => `${role} ${kind}`)).toEqual([
      'user summary',
      'user user',
      'assistant tool_call',
      'tool tool_result',
      'assistant assistant',
      'user user',
      'assistant assistant',
    ]);
    expect(conversation.agentContext.flatMap(({ parts }) => toolCalls(parts))).toHaveLength(1);
  });

  it('a file without a header is not a session if its first message has no author', () => {
    expect(pi.recognises(['{"type":"message","message":{"role":"robot"}}'])).toBe(false);
    expect(pi.recognises(['{"type":"message","role":"user"}'])).toBe(false);
  });
});

describe('a branch of such a session', () => {
  const records = [...messages('u1, a1, u2, a2'), compaction('one', 2), ...messages('u3, a3, u4, a4')];
  const prompt = (text: string) => piSession(records).conversation.entries.find((entry) => nameOf(entry) === text);

  async function branchBefore(text: string) {
    const before = prompt(text);
    if (before === undefined) throw new Error(`no prompt ${text}`);
    return await forked(pi, records, { before });
  }

  it('a branch after a compaction with kept messages has it, and names the first message that stays, as pi does', async () => {
    const { session, lines } = await branchBefore('u3');
    expect(named(session.conversation.agentContext)).toBe('[one], u2, a2');
    const [header, ...written] = lines.map((line) => JSON.parse(line));
    expect(header).toMatchObject({ type: 'session', version: 3, parentSession: 'session.jsonl' });
    expect(written.at(-1)).toMatchObject({ type: 'compaction', firstKeptEntryId: 'line-3', summary: 'one' });
    expect(written.at(-1)).not.toHaveProperty('keepLastMessages');
  });

  it('a branch before a compaction with kept messages undoes it', async () => {
    const { session } = await branchBefore('u2');
    expect(named(session.conversation.agentContext)).toBe('u1, a1');
    expect(session.conversation.agentCompactions).toEqual([]);
  });

  it('a branch of the whole session with kept messages sends the same', async () => {
    const { session, original } = await forked(pi, multiple);
    expect(named(session.conversation.agentContext)).toBe(named(original.conversation.agentContext));
    const replaced = [original, session].map(({ conversation }) =>
      conversation.agentCompactions.map(({ replacedEntryIds }) => replacedEntryIds),
    );
    expect(replaced[1]).toEqual(replaced[0]);
  });
});
