import { describe, expect, it } from 'vitest';
import { placeBlocks } from '../../extension/engine/conversation/projection';
import { foldJournal } from '../../extension/engine/journal/journal-state';
import type { RowSurroundings } from '../../extension/host/view/row-surroundings';
import { rowTokens } from '../../extension/host/view/row-tokens';
import { RowBuilder, rowKeysOf } from '../../extension/host/view/rows';
import { sessionChange } from '../../extension/host/view/session-change';
import type { Row, SessionView } from '../../extension/protocol/view';
import {
  assistant,
  call,
  calls,
  injected,
  quickLedger,
  result,
  type Said,
  talk,
  toolTurn,
  user,
} from '../builders/conversation';
import { compact, contextOf } from '../builders/run';

const around: RowSurroundings = {
  ledger: quickLedger(),
  turnOf: (id) => Number(id.slice(1)),
  pinnedOf: () => [],
  blockOf: () => null,
  subagentOf: () => null,
};

function rowsOf(...said: Said[]): Row[] {
  return new RowBuilder().rowsOf(contextOf(talk(...said)).messages, around);
}

function outline(rows: readonly Row[]): string[] {
  return rows.map(({ kind, preview, tool }) => (tool ? `${kind} ${tool.name} ${tool.outcome}` : `${kind} ${preview}`));
}

describe('the rows of the timeline', () => {
  it('the rows of the timeline show a tool result with its call, and separate rows for text, reasoning and calls of a reply', () => {
    const rows = rowsOf(
      user('fix it'),
      call('a', 'read', { path: 'src/a.ts' }, 'I look.'),
      result('a', 'line 1\nline 2'),
      calls('b', 'c'),
      result('b'),
      result('c', 'ENOENT', true),
      assistant('done'),
    );
    expect(outline(rows)).toEqual([
      'user fix it',
      'assistant I look.',
      'tool read ok',
      'tool read ok',
      'tool read error',
      'assistant done',
    ]);
    expect(rows[2]?.tool).toEqual({
      pruned: false,
      name: 'read',
      subject: 'src/a.ts',
      outcome: 'ok',
      result: 'line 1 line 2',
    });
  });

  it('the rows of the timeline show a call without a result as running, and a result without a call as a separate row', () => {
    expect(outline(rowsOf(result('lost', 'x'), call('open')))).toEqual(['tool tool ok', 'tool read running']);
  });

  it('distinguish prompts of a person from injected ones', () => {
    const [said, reminded] = rowsOf(user('hi'), injected('a reminder'));
    expect(said).toMatchObject({ kind: 'user', turn: 1 });
    expect(reminded).toMatchObject({ kind: 'injected', turn: null });
  });

  it('the rows of the timeline have unique keys, and tokens that add up to those of the messages', () => {
    const { messages, tokens } = contextOf(talk(toolTurn('a'), toolTurn('b')));
    const rows = new RowBuilder().rowsOf(messages, around);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
    const shown = rowTokens(rows, messages, tokens.ofMessages, around.ledger);
    expect(shown).toHaveLength(rows.length);
    expect(shown.reduce((total, size) => total + size, 0)).toBe(tokens.total);
  });

  it('the rows of the timeline are the same objects if unchanged, and new ones when their result arrives', () => {
    const builder = new RowBuilder();
    const grown = talk(user('go'), call('a'), result('a'), user('more'));
    const young = { ...grown, agentContext: grown.agentContext.slice(0, 2) };
    const before = builder.rowsOf(contextOf(young).messages, around);
    const after = builder.rowsOf(contextOf(grown).messages, around);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(after.map((row) => row.tool?.outcome ?? row.kind)).toEqual(['user', 'ok', 'user']);
  });

  it('preview a block with its first content line', async () => {
    const recent = Array.from({ length: 11 }, () => [user('Then.'), assistant('Yes.')]).flat();
    const conversation = talk(toolTurn('alpha'), recent);
    const { records } = await compact(conversation, { strategy: 'tool-calls' });
    const rows = new RowBuilder().rowsOf(contextOf(conversation, foldJournal(records)).messages, around);
    expect(rows.find((row) => row.kind === 'summary')?.preview).toBe('I look at alpha first.');
  });
});

describe('a change of the view', () => {
  const [a, b, c, d] = rowsOf(user('a'), user('b'), user('c'), user('d')) as [Row, Row, Row, Row];
  const view = (revision: number, ...rows: Row[]) => ({ revision, rows, undo: null }) as unknown as SessionView;

  it('contains the one range of rows that differs', () => {
    expect(sessionChange(view(1, a, b, c), view(2, a, d, c)).splice).toEqual({ at: 1, removed: 1, rows: [d] });
    expect(sessionChange(view(1, a, b), view(2, a, b, c, d)).splice).toEqual({ at: 2, removed: 0, rows: [c, d] });
    expect(sessionChange(view(1, a, b, c), view(2, c)).splice).toEqual({ at: 0, removed: 2, rows: [] });
  });

  it('contains only the sizes of rows that differ in their tokens', () => {
    const change = sessionChange(view(1, a, b), view(2, { ...a, tokens: 7 }, b, c));
    expect(change.splice).toEqual({ at: 2, removed: 0, rows: [c] });
    expect(change.sizes).toEqual({ rows: [7, b.tokens, c.tokens], blocks: {} });
  });

  it('leaves out what did not change', () => {
    expect(sessionChange(view(1, a, b), view(2, a, b))).toEqual({ revision: 2 });
  });
});

describe('the rows of messages that would go', () => {
  it('a result that would go is marked in the row of its call, even if the call stays', () => {
    const { entries } = talk(user('fix it'), call('a'), result('a'), assistant('done'));
    const messages = placeBlocks(entries, [], quickLedger());
    const caller = messages.find(({ kind }) => kind === 'tool_call');
    const answer = messages.find(({ role }) => role === 'tool');
    if (!caller || !answer) throw new Error('The sample has no call.');
    expect(rowKeysOf([answer], messages)).toEqual([answer.key, `${caller.key}#a`]);
    expect(rowKeysOf([caller], messages)).toEqual([caller.key, `${caller.key}#a`]);
  });
});
