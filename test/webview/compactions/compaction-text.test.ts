import { describe, expect, it } from 'vitest';
import { rereadingNotes, rereadingText } from '../../../webview/state/compactions/compaction-text';

describe('what an agent read again after its compaction', () => {
  const rereading = {
    reads: 22,
    again: { calls: 7, tokens: 13_000 },
    usual: { reads: 22, again: 1 },
    changedSince: { calls: 2, tokens: 900 },
  };

  it('is given in calls, share and tokens, beside the usual share', () => {
    expect(rereadingText(rereading)).toBe('Read again: 7 of the next 22 reads (32 %), 13k tokens.');
    expect(rereadingNotes(rereading)).toEqual([
      'Just before the compaction it was 1 of 22 (5 %).',
      '2 more reads are not counted, because the files had changed since.',
    ]);
  });

  it('is not compared if there were too few reads', () => {
    expect(rereadingNotes({ ...rereading, usual: null, changedSince: { calls: 0, tokens: 0 } })).toEqual([
      'There are too few reads around it to say what is usual.',
    ]);
    expect(rereadingText({ ...rereading, again: { calls: 0, tokens: 0 } })).toBe(
      'It read nothing again: 0 of the next 22 reads.',
    );
  });
});
