import { describe, expect, it } from 'vitest';
import type { Memory, SessionSummary } from '../../../extension/engine/block/memory';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { fetchRemembered, memoryOf, search, timeline, wholeText } from '../../../extension/engine/memory/recall';
import { hybridStrategy } from '../../../extension/engine/strategies/memory';
import { talk, toolTurn, user } from '../../builders/conversation';
import { compact } from '../../builders/run';
import { note, observation, registered, WordEmbedder } from './builders';

const summary: SessionSummary = {
  id: 's-1',
  request: 'fix the parser of dates',
  investigated: '',
  learned: 'time zones are hard',
  completed: '',
  nextSteps: '',
  notes: '',
  timestamp: null,
};

const memory: Memory = {
  notes: [note('n-1', { content: 'the loader drops keys' }), note('n-2', { content: 'snow and rain' })],
  observations: Array.from({ length: 9 }, (_, at) => observation(`o-${at}`, { title: `changed part ${at}` })),
  summaries: [summary],
};

const tools = () => ({ embedder: new WordEmbedder(), signal: new AbortController().signal });
const ids = (lines: readonly { readonly id: string }[]) => lines.map(({ id }) => id);

describe('memory search', () => {
  it('finds notes, observations and summaries by meaning, nearest first', async () => {
    expect(ids(await search(memory, 'loader drops keys', tools()))[0]).toBe('n-1');
    expect(
      ids(await search(memory, 'changed part', tools()))
        .slice(0, 9)
        .every((id) => id.startsWith('o-')),
    ).toBe(true);
    expect(ids(await search(memory, 'time zones are hard', tools()))[0]).toBe('s-1');
  });

  it('ranks verbatim matches first', async () => {
    const exact: Memory = {
      ...memory,
      notes: [...memory.notes, note('n-3', { content: `${'words of all kinds '.repeat(20)} ENOENT42` })],
    };
    expect(ids(await search(exact, 'enoent42', tools()))[0]).toBe('n-3');
  });

  it('answers in lines of at most a hundred tokens, however long the items are', async () => {
    const long = observation('o-l', {
      title: 'title '.repeat(200),
      subtitle: 'subtitle '.repeat(200),
      facts: ['fact '.repeat(900)],
    });
    const [hit] = await search({ ...memory, observations: [long] }, 'title subtitle', tools());
    const { id, type, title, detail } = hit ?? { id: '', type: '', title: '', detail: '' };
    expect([id, type, title, detail].join(' ').length / 4).toBeLessThanOrEqual(100);
    expect(hit?.readCost).toBeGreaterThan(1000);
  });

  it('finds nothing in an empty memory', async () => {
    expect(await search({ notes: [], observations: [], summaries: [] }, 'anything', tools())).toEqual([]);
  });
});

describe('memory timeline', () => {
  it('shows three items before and three after, of the same kind', () => {
    const found = timeline(memory, 'o-4');
    if (found.kind !== 'found') throw new Error('not found');
    expect(ids(found.before)).toEqual(['o-1', 'o-2', 'o-3']);
    expect(ids(found.after)).toEqual(['o-5', 'o-6', 'o-7']);
  });

  it('the memory timeline ends where the memory ends, and reports an unknown id', () => {
    expect(timeline(memory, 'o-0')).toMatchObject({ before: [], at: { id: 'o-0' } });
    expect(timeline(memory, 'nothing')).toEqual({ kind: 'unknown' });
  });
});

describe('fetching from memory', () => {
  it('returns complete items in the requested order, and names unknown ids', () => {
    const { found, unknown } = fetchRemembered(memory, ['s-1', 'gone', 'n-1']);
    expect(ids(found.map(({ item }) => item))).toEqual(['s-1', 'n-1']);
    expect(unknown).toEqual(['gone']);
    expect(found.map(wholeText).join('\n')).toContain('learned: time zones are hard');
  });
});

describe('journal memory', () => {
  it('journal memory consists of the active compactions: undoing one takes its memory away', async () => {
    const strategy = registered(hybridStrategy);
    const work = talk(user('Fix it.'), toolTurn('loader'), toolTurn('parser'), user('Next.'));
    const { records } = await compact(work, { strategy, parameters: { hybrid: { keepRecentTokens: 0 } } });
    expect(memoryOf(foldJournal(records)).observations).toHaveLength(2);
    const undone = foldJournal([
      ...records,
      { kind: 'undo', seq: 9, time: '', compactions: records.map(({ seq }) => seq) },
    ]);
    expect(memoryOf(undone)).toEqual({ notes: [], observations: [], summaries: [] });
  });
});
