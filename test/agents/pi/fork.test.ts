import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { pi } from '../../../extension/agents/pi/format/adapter';
import type { Entry } from '../../../extension/engine/conversation/entry';
import type { ForkPiece } from '../../../extension/sessions/fork/fork-format';
import { openSession } from '../../../extension/sessions/open';
import type { ParsedSession } from '../../../extension/sessions/session';
import { linesOf, piSession } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import {
  assistantText,
  compacted as compactedLines,
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
import { answered, call, chained, compacted, message, type PiRecord, replied, said, text, thinking } from './records';

const samples = [
  '0.73/before-compaction',
  '0.73/after-compaction',
  '0.87/before-compaction',
  '0.87/after-compaction',
].map((name) => ({ name, lines: linesOf(join(fixtures, `pi-${name}.jsonl`)) }));
const firstVersion = linesOf(join(fixtures, 'pi-v1', 'until-after-first-compaction.jsonl'));

const turns = chained(
  said('u1', 'one'),
  replied('a1', [thinking('hm'), call('c1')]),
  answered('r1', 'c1', 'result one'),
  replied('a2', [text('reply one')], { api: 'openai-completions', provider: 'scripted' }),
  said('u2', 'two'),
  replied('a3', [text('reply two')], { api: 'some-api', provider: 'scripted', usage: { input: 10, output: 5 } }),
);

function promptOf(records: readonly PiRecord[], id: string): Entry {
  const entry = piSession(records).conversation.entries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`no entry ${id}`);
  return entry;
}

describe.each([...samples, { name: 'version 1', lines: firstVersion }])('a copy of $name', ({ lines }) => {
  it('a copy is the same session under another id, with its entries under theirs', async () => {
    const { original, session, lines: copied } = await forked(pi, lines);
    expect(session.id).not.toBe(original.id);
    expect(session.conversation.agentContext).toEqual(original.conversation.agentContext);
    expect(session.conversation.entries).toEqual(original.conversation.entries);
    expect(JSON.parse(copied[0] ?? '')).toMatchObject({ version: 3, id: session.id, parentSession: 'session.jsonl' });
  });

  it('a copy with a compaction sends what was asked for, and nothing a provider would refuse', async () => {
    const { lines: copied, session } = await forked(pi, lines);
    await fc.assert(
      fc.asyncProperty(projectedPieces(session), async (pieces) => {
        const added = await compactedLines(pi, copied, session, pieces);
        const { conversation } = piSession([...copied, ...added]);
        expect(sentOf(conversation.agentContext)).toEqual(sentAsPieces(pieces));
        expect(personsWords(conversation.agentContext)).toEqual(personsWordsIn(pieces));
        expect(contextFaults(conversation.agentContext)).toEqual([]);
        const ids = conversation.entries.map((entry) => entry.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 25 },
    );
  });

  it('a copy before a prompt that is not where it was is refused', async () => {
    const { entries } = piSession(lines).conversation;
    const before = entries.filter((entry) => entry.role === 'user' && !entry.injected).at(-1);
    if (before === undefined) throw new Error('no prompt');
    for (const changedTo of [withoutMiddle(lines), lines.slice(0, before.origin.line - 1), ['', '', ...lines]])
      await expect(forked(pi, lines, { before, changedTo })).rejects.toThrow('no longer where it was read');
  });

  it('a copy can be made before every prompt, and then sends what the agent had before it', async () => {
    const { entries } = piSession(lines).conversation;
    const prompts = entries.filter((entry) => entry.role === 'user' && !entry.injected);
    expect(prompts.length).toBeGreaterThan(1);
    for (const before of prompts) {
      const { session } = await forked(pi, lines, { before });
      const then = piSession(lines.slice(0, before.origin.line - 1));
      expect(sentOf(session.conversation.agentContext)).toEqual(sentOf(then.conversation.agentContext));
    }
  });
});

describe('compacted', () => {
  it('keeps the newest messages by reference if only a summary comes before them', async () => {
    const { session, lines } = await forked(pi, turns, {
      pieces: (copy) => [userText('the block'), ...piecesFrom(copy, 'u2')],
    });
    expect(lines).toHaveLength(turns.length + 1);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      type: 'compaction',
      parentId: 'a3',
      summary: 'the block',
      firstKeptEntryId: 'u2',
      tokensBefore: 1000,
    });
    expect(picture(session.conversation.agentContext)).toEqual([
      'summary: the block',
      'user: two',
      'assistant: reply two',
    ]);
  });

  it('writes the messages again if more than a summary comes before them', async () => {
    const { session } = await forked(pi, turns, {
      pieces: (copy) => [userText('core'), userText('block'), ...piecesFrom(copy, 'a1')],
    });
    expect(picture(session.conversation.agentContext)).toEqual([
      'summary: core',
      'injected: block',
      'assistant: (hm) + bash c1',
      'tool: c1 → result one',
      'assistant: reply one',
      'user: two',
      'assistant: reply two',
    ]);
    expect(session.conversation.entries.filter((entry) => entry.usage !== undefined)).toHaveLength(1);
  });

  it('a compacted fork begins a new tree if no summary comes first', async () => {
    const { session, lines } = await forked(pi, turns, {
      pieces: (copy) => [...piecesFrom(copy, 'u2'), userText('a note'), assistantText('an answer')],
    });
    expect(picture(session.conversation.agentContext)).toEqual([
      'user: two',
      'assistant: reply two',
      'injected: a note',
      'assistant: an answer',
    ]);
    expect(JSON.parse(lines[turns.length] ?? '')).toMatchObject({ parentId: null });
    expect(JSON.parse(lines.at(-1) ?? '').message).toMatchObject({
      api: 'some-api',
      provider: 'scripted',
      model: 'scripted',
      stopReason: 'stop',
    });
  });

  it('attributes its own texts to no person, wherever they are', async () => {
    for (const first of [userText('core'), assistantText('done')]) {
      const { session } = await forked(pi, turns, {
        pieces: (copy) => [first, userText('block'), ...piecesFrom(copy, 'u2'), userText('later')],
      });
      expect(personsWords(session.conversation.agentContext)).toEqual(['user: two']);
      const again = await compactedLines(pi, turns, session, [userText('x')]);
      expect(personsWords(piSession([...turns, ...again]).conversation.agentContext)).toEqual([]);
    }
  });

  it('keeps a picture beside a text that is another, and refuses one that no record says', async () => {
    const picture = { type: 'image', data: 'cG5n', mimeType: 'image/png' };
    const records = chained(message('u1', { role: 'user', content: [text('look'), picture] }));
    const withPicture =
      (data: string | null) =>
      (copy: ParsedSession): ForkPiece[] => {
        const [entry] = copy.conversation.agentContext;
        if (entry === undefined) throw new Error('nothing is sent');
        const image = { type: 'image', mediaType: 'image/png', data } as const;
        return [userText('b'), { kind: 'edited', entry, parts: [{ type: 'text', text: 'short' }, image] }];
      };
    const { lines } = await forked(pi, records, { pieces: withPicture('cG5n') });
    expect(JSON.parse(lines.at(-1) ?? '').message.content).toEqual([text('short'), picture]);
    await expect(forked(pi, records, { pieces: withPicture(null) })).rejects.toThrow(
      'An image of this context is not in the session file',
    );
  });

  it('takes the prompt along, as pi does', async () => {
    const prompt = { role: 'system', content: 'Be brief.', toolsAdded: [{ name: 'bash' }] };
    const records = chained(message('s', prompt), said('u1', 'one'), replied('a1', [text('reply')]));
    for (const pieces of [[userText('block')], [assistantText('reply')]]) {
      const { session } = await forked(pi, records, { pieces: () => pieces });
      expect(picture(session.conversation.agentContext)[0]).toBe('system: Be brief. + tools bash');
    }
  });

  it('says an edited message in its edited form', async () => {
    const edited = chained(...turns.slice(1), {
      type: 'context_edit',
      id: 'e1',
      targetId: 'r1',
      replacement: { content: [text('shortened')] },
    });
    const { session } = await forked(pi, edited, {
      pieces: (copy) => [userText('block'), ...piecesFrom(copy, 'a1')],
    });
    expect(picture(session.conversation.agentContext).slice(0, 4)).toEqual([
      'summary: block',
      'assistant: (hm) + bash c1',
      'tool: c1 → shortened',
      'assistant: reply one',
    ]);
  });

  it('answers a call that never got a result, as pi would', async () => {
    const records = chained(said('u1', 'one'), replied('a1', [call('c1')]), said('u2', 'two'));
    const { session } = await forked(pi, records, { pieces: (copy) => [userText('b'), ...piecesFrom(copy, 'a1')] });
    expect(picture(session.conversation.agentContext)).toEqual([
      'summary: b',
      'assistant: bash c1',
      'tool: c1 → No result provided !',
      'user: two',
    ]);
  });

  it('a compacted fork can be appended to the session itself, but not to one of version 1', async () => {
    const session = piSession(turns);
    const added = await compactedLines(pi, turns, session, [userText('block'), ...piecesFrom(session, 'u2')]);
    expect(picture(piSession([...turns, ...added]).conversation.agentContext)[0]).toBe('summary: block');
    await expect(compactedLines(pi, firstVersion, piSession(firstVersion), [userText('block')])).rejects.toThrow(
      'first version',
    );
  });
});

describe('a branch', () => {
  const long = chained(
    said('u1', 'u1'),
    replied('a1', [text('a1')]),
    said('u2', 'u2'),
    replied('a2', [text('a2')]),
    compacted('cut', 'u2'),
    said('u3', 'u3'),
    replied('a3', [text('a3')]),
    said('u4', 'u4'),
    replied('a4', [text('a4')]),
  );

  it('keeps the compaction if it comes before the prompt', async () => {
    const { session, lines } = await forked(pi, long, { before: promptOf(long, 'u3') });
    expect(picture(session.conversation.agentContext)).toEqual(['summary: a summary', 'user: u2', 'assistant: a2']);
    expect(lines.slice(1)).toEqual(long.slice(1, 6).map((record) => JSON.stringify(record)));
  });

  it('a branch has no compaction that replaced its prompt', async () => {
    const { session } = await forked(pi, long, { before: promptOf(long, 'u2') });
    expect(picture(session.conversation.entries)).toEqual(['user: u1', 'assistant: a1']);
    expect(session.conversation.agentCompactions).toEqual([]);
  });

  it('a fork on an older branch contains nothing of the other branches', async () => {
    const records = [
      ...turns,
      { ...said('u2x', 'another'), parentId: 'a2' },
      { ...said('u3x', 'more'), parentId: 'u2x' },
    ];
    const { session } = await forked(pi, records, { before: promptOf(records, 'u3x') });
    expect(picture(session.conversation.entries).slice(-2)).toEqual(['assistant: reply one', 'user: another']);
  });
});

it('leaves out what cannot be read, and keeps records that it does not know', async () => {
  const { lines, session } = await forked(pi, [
    ...turns,
    '{"torn": tru',
    '7',
    { type: 'news', id: 'n', parentId: 'a3' },
  ]);
  expect(session.issues).toEqual([]);
  expect(lines).toHaveLength(turns.length + 1);
  expect(session.otherRecords).toEqual({ session: 1, news: 1 });
});

describe('as a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-pi-fork-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('opens under its new id, beside the original, and has a name like those of pi', async () => {
    const chance = {
      uuid: () => '12345678-1234-4234-9abc-123456789abc',
      now: () => new Date('2026-11-22T07:05:20.254Z'),
    };
    const original = { ...piSession(turns), file: join(folder, 'x.jsonl') };
    expect(pi.fork?.place(original, chance)).toEqual({
      id: '01a20212-dc7e-7234-9abc-123456789abc',
      file: join(folder, '2026-11-22T07-05-20-254Z_01a20212-dc7e-7234-9abc-123456789abc.jsonl'),
    });
    const fork = await forked(pi, turns, { pieces: () => [userText('b')] });
    const file = join(folder, 'fork.jsonl');
    writeFileSync(file, `${fork.lines.join('\n')}\n`);
    const opened = await openSession(file, { environment: { home: folder, variables: {} } });
    expect(opened).toMatchObject({ kind: 'opened', session: { agent: 'pi', id: fork.session.id, issues: [] } });
    expect(pi.resume?.({ id: fork.session.id, file })).toEqual(['pi', '--session', file]);
  });
});
