import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { claudeCode } from '../../../extension/agents/claude-code/format/adapter';
import type { Entry, Part } from '../../../extension/engine/conversation/entry';
import type { ForkPiece } from '../../../extension/sessions/fork/fork-format';
import { openSession } from '../../../extension/sessions/open';
import { build, claudeSession, linesOf } from '../../sessions/build';
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
  textsOf,
  userText,
  withoutMiddle,
} from '../../sessions/forking';
import { picture } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import {
  answered,
  attached,
  call,
  chained,
  compacted,
  noted,
  type Row,
  replied,
  repliedOn,
  said,
  text,
  thinking,
} from './rows';

const samples = ['2.1.330/before-compaction', '2.1.330/after-compaction', '2.1.14/auto-compaction'].map((name) => ({
  name,
  lines: linesOf(join(fixtures, `claude-code-${name}.jsonl`)),
}));

const leadIn = 'user: The conversation goes on from here; what came before was left out.';

/** The entry's text is replaced; its pictures stay. */
function edited(piece: ForkPiece, value: string, more: readonly Part[] = []): ForkPiece {
  if (piece.kind === 'text' || piece.entry.role === 'assistant') return piece;
  const parts = piece.entry.parts.map((part) => ('text' in part ? { ...part, text: value } : part));
  return { kind: 'edited', entry: piece.entry, parts: [...parts, ...more] };
}

function entryOf(session: { conversation: { entries: readonly Entry[] } }, id: string): Entry {
  const entry = session.conversation.entries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`no entry ${id}`);
  return entry;
}

const turns = chained(
  said('u1', 'one'),
  replied('a1', [thinking('hm'), text('reply one')]),
  said('u2', 'two'),
  replied('a2', [thinking('well')]),
  repliedOn('a2b', 'a2', [call('c1')]),
  repliedOn('a2c', 'a2', [call('c2')]),
  answered('r1', 'c1', 'result one', { parentUuid: 'a2b' }),
  answered('r2', 'c2', 'result two', { parentUuid: 'a2c' }),
  replied('a3', [text('reply two')]),
  said('u3', 'three'),
  replied('a4', [text('reply three')]),
);

describe.each(samples)('a copy of $name', ({ lines }) => {
  it('a copy is the same session under another id', async () => {
    const { original, session } = await forked(claudeCode, lines);
    expect(session.id).not.toBe(original.id);
    expect(session.conversation.agentContext).toEqual(
      original.conversation.agentContext.map(entryIn(session.conversation.entries)),
    );
    expect(picture(session.conversation.entries)).toEqual(picture(original.conversation.entries));
  });

  it('differs from the original in the id alone', async () => {
    const { original, session, lines: copied } = await forked(claudeCode, lines);
    const back = copied.map((line) => line.replaceAll(session.id, original.id));
    expect(back).toEqual(lines.filter((line) => line !== ''));
  });

  it('a copy with a compaction sends what was asked for, and nothing a provider would refuse', async () => {
    const original = claudeSession(lines);
    await fc.assert(
      fc.asyncProperty(projectedPieces(original), async (pieces) => {
        const fork = await compactedLines(claudeCode, lines, original, pieces);
        const { conversation } = claudeSession([...lines, ...fork]);
        const sent = sentOf(conversation.agentContext);
        expect(sent[0] === leadIn ? sent.slice(1) : sent).toEqual(sentAsPieces(pieces));
        expect(sent[0] ?? 'user').toMatch(/^user/);
        expect(personsWords(conversation.agentContext)).toEqual(personsWordsIn(pieces));
        expect(contextFaults(conversation.agentContext)).toEqual([]);
        const ids = conversation.entries.map((entry) => entry.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 25 },
    );
  });

  it('a copy before a prompt that is not where it was is refused', async () => {
    const { entries } = claudeSession(lines).conversation;
    const before = entries.filter((entry) => entry.role === 'user' && !entry.injected).at(-1);
    if (before === undefined) throw new Error('no prompt');
    for (const changedTo of [withoutMiddle(lines), lines.slice(0, before.origin.line - 1), ['', '', ...lines]])
      await expect(forked(claudeCode, lines, { before, changedTo })).rejects.toThrow('no longer where it was read');
  });

  it('a copy can be made before every prompt, and then sends what the agent had before it', async () => {
    const { entries } = claudeSession(lines).conversation;
    const prompts = entries.filter((entry) => entry.role === 'user' && !entry.injected).slice(1);
    expect(prompts.length).toBeGreaterThan(0);
    for (const before of prompts) {
      const { session } = await forked(claudeCode, lines, { before });
      const then = claudeSession(lines.slice(0, before.origin.line - 1));
      expect(sentOf(session.conversation.agentContext)).toEqual(sentOf(then.conversation.agentContext));
      expect(session.conversation.entries).not.toContainEqual(expect.objectContaining({ id: before.id }));
    }
  });
});

/** Copied lines keep their rows. Their line numbers change if lines were left out. */
function entryIn(entries: readonly Entry[]): (entry: Entry) => unknown {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return (entry) => ({ ...entry, origin: byId.get(entry.id)?.origin });
}

describe('a compacted fork', () => {
  it('puts the block in place of older turns and says the others again as they are', async () => {
    const { session, lines } = await forked(claudeCode, turns, {
      pieces: (copy) => [userText('the block'), ...piecesFrom(copy, 'u2')],
    });
    expect(picture(session.conversation.agentContext)).toEqual([
      'summary: the block',
      'user: two',
      'assistant: (well) + Bash c1 + Bash c2',
      'tool: c1 → result one',
      'tool: c2 → result two',
      'assistant: reply two',
      'user: three',
      'assistant: reply three',
    ]);
    expect(session.conversation.agentCompactions).toMatchObject([
      { kind: 'summary', trigger: 'manual', tokensBefore: 1000, tokensAfter: 100 },
    ]);
    expect(session.conversation.agentCompactions[0]?.replacedEntryIds).toHaveLength(9);
    // The provider checks the signature of the model's thinking.
    expect(lines.slice(turns.length).join('\n')).toContain('"signature":"c2ln"');
  });

  it('links its rows in one chain of new ids, from a boundary without a parent', async () => {
    const { lines } = await forked(claudeCode, turns, { pieces: (copy) => [userText('b'), ...piecesFrom(copy, 'u2')] });
    const rows = lines.map((line): Row => JSON.parse(line));
    const added = rows.slice(turns.length);
    expect(added[0]).toMatchObject({ subtype: 'compact_boundary', parentUuid: null, logicalParentUuid: 'a4' });
    expect(added.slice(1).map((row) => row.parentUuid)).toEqual(added.slice(0, -1).map((row) => row.uuid));
    expect(new Set(rows.map((row) => row.uuid)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.sessionId)).size).toBe(1);
  });

  it('a compacted fork has no summary if a message of the conversation comes first', async () => {
    const { session } = await forked(claudeCode, turns, {
      pieces: (copy) => [...piecesFrom(copy, 'u3'), userText('a note')],
    });
    expect(picture(session.conversation.agentContext)).toEqual([
      'user: three',
      'assistant: reply three',
      'injected: a note',
    ]);
  });

  it('a compacted fork attributes its own texts to no person, wherever they are', async () => {
    const own = ['a', '[Request interrupted by user]', '<task-notification>x</task-notification>'].map(userText);
    const { session } = await forked(claudeCode, turns, {
      pieces: (copy) => [...own, ...piecesFrom(copy, 'u2'), ...own],
    });
    const { agentContext } = session.conversation;
    expect(personsWords(agentContext)).toEqual(['user: two', 'user: three']);
    expect(agentContext.filter((entry) => entry.injected)).toHaveLength(2 * own.length);
    const again = await forked(claudeCode, textsOf(turns), { pieces: () => [assistantText('done'), ...own] });
    expect(personsWords(again.session.conversation.agentContext)).toEqual([]);
    expect((await forked(claudeCode, turns, { pieces: () => own })).session.awaitsReply).toBe(false);
  });

  it('a compacted fork begins with a sentence of the user role if a reply would come first', async () => {
    const { session } = await forked(claudeCode, turns, { pieces: () => [assistantText('what was done')] });
    expect(sentOf(session.conversation.agentContext)).toEqual([leadIn, 'assistant: what was done']);
  });

  it('counts no usage twice', async () => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const reply = replied('a1', [text('one')]);
    Object.assign(reply.message ?? {}, { usage });
    const { session } = await forked(claudeCode, chained(said('u1', 'go'), reply), {
      pieces: (copy) => piecesFrom(copy, 'u1'),
    });
    expect(session.conversation.entries.filter((entry) => entry.usage !== undefined)).toHaveLength(1);
  });

  it('sends results separately that were in one row', async () => {
    const both = said('r', [
      { type: 'tool_result', tool_use_id: 'c1', content: 'one' },
      { type: 'tool_result', tool_use_id: 'c2', content: 'two', is_error: true },
      text('and a word'),
    ]);
    const rows = chained(said('u1', 'go'), replied('a1', [call('c1'), call('c2')]), both, replied('a2', [text('ok')]));
    const { session } = await forked(claudeCode, rows, {
      pieces: (copy) => [userText('b'), ...piecesFrom(copy, 'a1')],
    });
    expect(sentOf(session.conversation.agentContext)).toEqual([
      'user: b',
      'assistant: Bash c1 + Bash c2',
      'tool: c1 → one',
      'tool: c2 → two !',
      'user: and a word',
      'assistant: ok',
    ]);
  });

  it('keeps attachments after the text that they follow when sent', async () => {
    const rows = chained(said('u1', 'go'), attached('t1', 'user', 'a reminder'), replied('a1', [text('ok')]));
    const { session } = await forked(claudeCode, rows, {
      pieces: (copy) => [userText('core'), ...piecesFrom(copy, 't1')],
    });
    expect(sentOf(session.conversation.agentContext).map((line) => line.replace(/\s+/g, ' '))).toEqual([
      'user: core',
      'user: <system-reminder> a reminder </system-reminder>',
      'user: go',
      'assistant: ok',
    ]);
  });
});

describe('a picture', () => {
  const linked = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
  const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'cGRm' } };
  const shown = chained(
    said('u1', [text('look'), linked, document]),
    replied('a1', [call('c1')]),
    said('r1', [{ type: 'tool_result', tool_use_id: 'c1', content: [text('long'), linked] }]),
    replied('a2', [text('seen')]),
  );

  it('a picture stays as it is written, even if the text beside it is another', async () => {
    const { lines } = await forked(claudeCode, shown, {
      pieces: (copy) => [userText('b'), ...piecesFrom(copy, 'u1').map((piece) => edited(piece, 'short'))],
    });
    const contents = lines.slice(shown.length).map((line) => JSON.parse(line).message?.content);
    expect(contents[2]).toEqual([text('short'), linked, document]);
    expect(contents[4][0].content).toEqual([text('short'), linked]);
  });

  it('a picture that no record contains is refused, not left out', async () => {
    const picture = { type: 'image', mediaType: 'image/png', data: null } as const;
    await expect(
      forked(claudeCode, turns, {
        pieces: (copy) => piecesFrom(copy, 'u1').map((piece) => edited(piece, 'short', [picture])),
      }),
    ).rejects.toThrow('An image of this context is not in the session file');
  });
});

it('says what the program makes up in place of a reply that has nothing in it', async () => {
  const rows = chained(said('u1', 'one'), replied('a1', []), said('u2', 'two'), replied('a2', [text('ok')]));
  const { session } = await forked(claudeCode, rows, { pieces: (copy) => [userText('b'), ...piecesFrom(copy, 'a1')] });
  expect(sentOf(session.conversation.agentContext)).toEqual([
    'user: b',
    'assistant: (no content)',
    'user: two',
    'assistant: ok',
  ]);
});

it('changes the id of the session in its own field alone', async () => {
  const told = {
    type: 'tool_use',
    id: 'c1',
    name: 'Look',
    input: { sessionId: 'session', note: '"sessionId":"session"' },
  };
  const rows = textsOf(chained(said('u1', 'go'), replied('a1', [told]), answered('r1', 'c1', 'ok')));
  const spaced = rows.map((row) => row.replace('"sessionId":"session"', '"sessionId" : "session"'));
  for (const source of [
    rows,
    spaced,
    rows.map((row) => row.replace('{', '{"x":{"sessionId":"session"},"y":[",\\""],')),
  ]) {
    const { lines, session } = await forked(claudeCode, source);
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      source.map((line) => ({ ...JSON.parse(line), sessionId: session.id })),
    );
  }
});

describe('a branch', () => {
  const promptOf = (rows: readonly Row[], id: string) => entryOf(claudeSession(rows), id);

  it('a branch before a prompt holds what leads to it, parallel results included', async () => {
    const { session } = await forked(claudeCode, turns, { before: promptOf(turns, 'u3') });
    expect(picture(session.conversation.agentContext)).toEqual([
      'user: one',
      'assistant: (hm) + reply one',
      'user: two',
      'assistant: (well) + Bash c1 + Bash c2',
      'tool: c1 → result one',
      'tool: c2 → result two',
      'assistant: reply two',
    ]);
  });

  it('a fork on an older branch contains nothing of the other branches', async () => {
    const rows = [
      ...turns,
      ...chained(said('u2x', 'another two'), replied('a2x', [text('another reply')]), said('u3x', 'another three')),
    ];
    Object.assign(rows[turns.length] ?? {}, { parentUuid: 'a1' });
    const other = await forked(claudeCode, rows, { before: promptOf(rows, 'u3x') });
    expect(picture(other.session.conversation.entries)).toEqual([
      'user: one',
      'assistant: (hm) + reply one',
      'user: another two',
      'assistant: another reply',
    ]);
    const older = await forked(claudeCode, rows, { before: promptOf(rows, 'u2') });
    expect(picture(older.session.conversation.entries)).toEqual(['user: one', 'assistant: (hm) + reply one']);
  });

  it('leaves out state that is about rows that are left out', async () => {
    const rows = [
      turns[0],
      { type: 'file-history-snapshot', messageId: 'u1' },
      { type: 'file-history-snapshot', messageId: 'u3' },
      ...turns.slice(1),
    ] as Row[];
    const { lines } = await forked(claudeCode, rows, { before: promptOf(rows, 'u2') });
    expect(lines.filter((line) => line.includes('snapshot'))).toEqual([JSON.stringify(rows[1])]);
  });

  it('a branch before the first prompt is refused, for there would be nothing to resume', async () => {
    await expect(forked(claudeCode, turns, { before: promptOf(turns, 'u1') })).rejects.toThrow(
      'Nothing was said before',
    );
  });

  describe('of a session that was compacted', () => {
    const rows = chained(
      said('u1', 'u1'),
      replied('a1', [text('a1')]),
      said('u2', 'u2'),
      replied('a2', [text('a2')]),
      compacted('cut', 'a2', { preservedMessages: { anchorUuid: 's', uuids: ['u2', 'a2'] } }),
      said('s', 'summary', { isCompactSummary: true }),
      said('u3', 'u3'),
      replied('a3', [text('a3')]),
      said('u4', 'u4'),
      replied('a4', [text('a4')]),
    );

    it('keeps the compaction if it comes before the prompt', async () => {
      const { session } = await forked(claudeCode, rows, { before: promptOf(rows, 'u3') });
      expect(picture(session.conversation.agentContext)).toEqual(['summary: summary', 'user: u2', 'assistant: a2']);
      expect(sentOf(session.conversation.entries)).toEqual([
        'user: u1',
        'assistant: a1',
        'user: u2',
        'assistant: a2',
        'user: summary',
      ]);
    });

    it('a branch of a compacted session has no compaction if the prompt is among the messages that it replaced', async () => {
      const { session } = await forked(claudeCode, rows, { before: promptOf(rows, 'u2') });
      expect(picture(session.conversation.agentContext)).toEqual(['user: u1', 'assistant: a1']);
      expect(session.conversation.agentCompactions).toEqual([]);
    });
  });
});

it('refuses a fork of a conversation that Claude Code cannot resume', async () => {
  const rows = chained(said('u1', 'go', { isSidechain: true, agentId: 'x', parentUuid: null }));
  await expect(forked(claudeCode, rows)).rejects.toThrow('Claude Code cannot resume the conversation of a subagent');
});

it('refuses to write again what is nested too deeply for that, and copies it as it is', async () => {
  const deep = 100_000;
  const input = `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`;
  const rows = textsOf(chained(said('u1', 'go'), replied('a1', [call('c1')]), answered('r1', 'c1', 'ok')));
  const nested = rows.map((row) => row.replace('"input":{}', `"input":${input}`));
  expect((await forked(claudeCode, nested)).lines[1]).toContain(input);
  await expect(forked(claudeCode, nested, { pieces: (copy) => piecesFrom(copy, 'u1') })).rejects.toThrow(
    'nested too deeply',
  );
});

it('leaves out what cannot be read, and keeps rows that it does not know', async () => {
  const rows = [
    ...turns,
    '{"torn": tru',
    { type: 'news', sessionId: 'session' },
    noted('n1', 'other', { parentUuid: 'a4' }),
  ];
  const { lines, session } = await forked(claudeCode, rows);
  expect(session.issues).toEqual([]);
  expect(lines).toHaveLength(rows.length - 1);
  expect(lines.some((line) => line.includes('"news"') && line.includes(session.id))).toBe(true);
});

describe('as a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-claude-fork-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('opens under its new id, beside the original', async () => {
    const source = textsOf(turns);
    const original = build(claudeCode, source);
    const place = claudeCode.fork?.place(
      { ...original, file: join(folder, 'session.jsonl') },
      { uuid: () => '0-new', now: () => new Date(0) },
    );
    expect(place).toEqual({ id: '0-new', file: join(folder, '0-new.jsonl') });
    const fork = await forked(claudeCode, source, { pieces: () => [userText('b')] });
    const file = join(folder, 'fork.jsonl');
    writeFileSync(file, `${fork.lines.join('\n')}\n`);
    const opened = await openSession(file, { environment: { home: folder, variables: {} } });
    expect(opened).toMatchObject({
      kind: 'opened',
      session: { agent: 'claude-code', id: fork.session.id, issues: [] },
    });
    expect(claudeCode.resume?.({ id: fork.session.id, file })).toEqual(['claude', '--resume', fork.session.id]);
  });
});
