import { describe, expect, it } from 'vitest';
import { piSession } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import {
  answered,
  call,
  chained,
  compacted,
  header,
  message,
  type PiRecord,
  replied,
  said,
  text,
  thinking,
} from './records';

/* The expected contexts follow the sources of pi 0.58.3 and 0.87.1. */

function contextOf(...records: PiRecord[]): string[] {
  const { conversation } = piSession(chained(...records));
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  return picture(conversation.agentContext);
}

const turn = [
  said('q1', 'go'),
  replied('a1', [call('c1')]),
  answered('r1', 'c1', 'done'),
  replied('a2', [text('finished')]),
];

it('shows a call in the message of a person as text, since only a reply makes calls', () => {
  const odd = message('q1', { role: 'user', content: [text('go'), call('c1')] });
  expect(contextOf(odd, replied('a1', [text('done')]))).toEqual([expect.stringContaining('"c1"'), 'assistant: done']);
});

describe('branches', () => {
  it('sends the path from the last record to the root', () => {
    const other = said('q2', 'instead');
    expect(contextOf(...turn, { ...other, parentId: 'a2' }, { ...said('q3', 'no: this'), parentId: 'a2' })).toEqual([
      'user: go',
      'assistant: bash c1',
      'tool: c1 → done',
      'assistant: finished',
      'user: no: this',
    ]);
  });

  it('follows the last record even if that is only a label', () => {
    expect(contextOf(...turn, said('q2', 'more'), { type: 'label', id: 'l1', targetId: 'q1', parentId: 'a1' })).toEqual(
      ['user: go', 'assistant: bash c1'],
    );
  });

  it('shows an abandoned branch with the words of its summary', () => {
    expect(contextOf(said('q1', 'go'), { type: 'branch_summary', id: 'b1', fromId: 'x', summary: 'tried A' })).toEqual([
      'user: go',
      'injected: tried A',
    ]);
  });

  it('the path begins again at a second root', () => {
    expect(contextOf(...turn, { ...said('q2', 'anew'), parentId: null })).toEqual(['user: anew']);
  });

  it('counts what pi spent besides replies, and states of its models, as other records', () => {
    const { conversation, otherRecords } = piSession(
      chained(
        said('q1', 'go'),
        { type: 'usage', id: 'w1', kind: 'cache_warm', usage: { input: 0, output: 0, cacheRead: 50, cacheWrite: 0 } },
        { type: 'custom', id: 's1', customType: 'pi.virtual-model-state', data: {} },
      ),
    );
    expect(picture(conversation.agentContext)).toEqual(['user: go']);
    expect(otherRecords).toEqual({ session: 1, usage: 1, custom: 1 });
  });

  it('the path starts where a record is missing, as pi does, and says so', () => {
    const [first, , third] = chained(said('q1', 'one'), said('q2', 'two'), said('q3', 'three')).slice(1);
    const { conversation, issues } = piSession([header, first, '{"broken', third]);
    expect(picture(conversation.agentContext)).toEqual(['user: three']);
    expect(picture(conversation.entries)).toEqual(['user: one', 'user: three']);
    expect(issues.map((issue) => issue.line)).toEqual([3, 4]);
  });
});

describe('compactions', () => {
  it('lists only compactions of the branch that continues', () => {
    const records = chained(
      said('q1', 'one'),
      compacted('first', 'first'),
      said('q2', 'two'),
      compacted('left', 'q2'),
      { ...said('q3', 'instead'), parentId: 'q2' },
    );
    const idsAfter = (count: number): string[] =>
      piSession(records.slice(0, count)).conversation.agentCompactions.map(({ id }) => id);
    expect(idsAfter(5)).toEqual(['first', 'left']);
    expect(idsAfter(6)).toEqual(['first']);
  });

  it('a compaction keeps from the record on that it names', () => {
    expect(contextOf(...turn, compacted('cut', 'a2'), said('q2', 'next'))).toEqual([
      'summary: a summary',
      'assistant: finished',
      'user: next',
    ]);
  });

  it('a compaction keeps nothing if it names itself, or a record that is not on the path', () => {
    expect(contextOf(...turn, compacted('cut', 'cut'), said('q2', 'next'))).toEqual([
      'summary: a summary',
      'user: next',
    ]);
    expect(contextOf(...turn, compacted('cut', 'gone'), said('q2', 'next'))).toEqual([
      'summary: a summary',
      'user: next',
    ]);
  });

  it('sends only the newest summary, even if the one before is kept', () => {
    const newer = compacted('cut2', 'a2', { summary: 'a newer summary' });
    expect(contextOf(...turn, compacted('cut', 'a2'), said('q2', 'next'), newer)).toEqual([
      'summary: a newer summary',
      'assistant: finished',
      'user: next',
    ]);
  });

  it('sends no result whose call was replaced', () => {
    expect(contextOf(...turn, compacted('cut', 'r1'))).toEqual(['summary: a summary', 'assistant: finished']);
  });

  it('a compaction says what it replaced', () => {
    const { conversation } = piSession(chained(...turn, compacted('cut', 'a2'), said('q2', 'next')));
    expect(conversation.agentCompactions).toMatchObject([
      { id: 'cut', kind: 'summary', summaryEntryId: 'cut', replacedEntryIds: ['q1', 'a1', 'r1'], tokensBefore: 100 },
    ]);
  });

  it('repeats the prompt as of then, and drops prompts from what is kept', () => {
    const prompt = (words: string): PiRecord => ({ role: 'system', content: words });
    const records = [message('p1', prompt('one')), said('q1', 'go'), message('p2', prompt('two')), said('q2', 'more')];
    expect(contextOf(...records, compacted('cut', 'q1', { systemMessage: prompt('one, two') }))).toEqual([
      'system: one, two',
      'summary: a summary',
      'user: go',
      'user: more',
    ]);
  });
});

describe('edits of the context', () => {
  const edit = (id: string, targetId: string, replacement: unknown): PiRecord => ({
    type: 'context_edit',
    id,
    targetId,
    replacement,
  });

  it('leaves a message out, and gives its call a result that says so', () => {
    expect(contextOf(...turn, edit('e1', 'q1', null))).toEqual([
      'assistant: bash c1',
      'tool: c1 → done',
      'assistant: finished',
    ]);
    expect(contextOf(...turn, edit('e1', 'r1', null))[2]).toBe('tool: c1 → No result provided !');
  });

  it('puts other content in the place of a message, under its id; the newest edit holds', () => {
    const records = chained(
      ...turn,
      edit('e1', 'r1', { content: 'first' }),
      edit('e2', 'r1', { content: [text('short')] }),
    );
    const { agentContext, entries } = piSession(records).conversation;
    expect(picture(agentContext)[2]).toBe('tool: c1 → short');
    expect(agentContext[2]?.id).toBe('r1');
    expect(picture(entries)[2]).toBe('tool: c1 → done');
  });

  it('an edit holds on its own branch only', () => {
    expect(contextOf(...turn, edit('e1', 'q1', null), { ...said('q2', 'back'), parentId: 'a2' })[0]).toBe('user: go');
  });
});

describe('replies and results', () => {
  it('leaves out replies that were aborted or failed, with the results of their calls', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [text('half'), call('c1')], { stopReason: 'aborted' }),
        answered('r1', 'c1', 'done'),
        replied('a2', [], { stopReason: 'error' }),
        said('q2', 'again'),
      ),
    ).toEqual(['user: go', 'user: again']);
  });

  it('leaves out replies that say nothing', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', []),
        replied('a2', [thinking(''), text(' ')]),
        replied('a3', [thinking('hm')]),
      ),
    ).toEqual(['user: go', 'assistant: (hm)']);
  });

  it('gives a call without a result one once work went on', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [call('c1'), call('c2')]),
        answered('r1', 'c2', 'done'),
        said('q2', 'next'),
      ),
    ).toEqual([
      'user: go',
      'assistant: bash c1 + bash c2',
      'tool: c2 → done',
      'tool: c1 → No result provided !',
      'user: next',
    ]);
  });

  it('leaves the calls of the newest reply open', () => {
    expect(contextOf(said('q1', 'go'), replied('a1', [call('c1')]))).toEqual(['user: go', 'assistant: bash c1']);
  });

  it('sends a change of the prompt after the results it came between', () => {
    const change = message('p1', { role: 'system', content: 'new rules', sections: { skills: 'none', cwd: null } });
    expect(
      contextOf(
        message('p0', { role: 'system', content: 'rules' }),
        said('q1', 'go'),
        replied('a1', [call('c1')]),
        change,
        answered('r1', 'c1', 'done'),
      ),
    ).toEqual([
      'system: rules',
      'user: go',
      'assistant: bash c1',
      'tool: c1 → done',
      'system: new rules\n\nThe section "skills" now reads:\n\nnone\n\nThe section "cwd" was taken out.',
    ]);
  });
});

describe('what extensions and the shell add', () => {
  const shell = (id: string, more: PiRecord): PiRecord =>
    message(id, { role: 'bashExecution', command: 'ls', output: '', ...more });

  it('sends messages of extensions and shell commands as injected', () => {
    expect(
      contextOf(
        { type: 'custom_message', id: 'x1', content: 'from an extension' },
        message('x2', { role: 'hookMessage', content: [text('from a hook')] }),
        shell('s1', { exitCode: 2 }),
        shell('s2', { output: 'partly', cancelled: true }),
        shell('s3', { excludeFromContext: true }),
        { type: 'custom', id: 'x3', data: { any: 'thing' } },
      ),
    ).toEqual([
      'injected: from an extension',
      'injected: from a hook',
      'injected: $ ls\n(nothing printed)\n(exit code 2)',
      'injected: $ ls\npartly\n(cancelled)',
    ]);
  });
});

describe('what a session is', () => {
  it('a session is called by its name, else by its first words', () => {
    const titleWith = (...records: PiRecord[]): string | null =>
      piSession(chained(said('q1', 'first words\nmore'), ...records)).title;
    expect(titleWith()).toBe('first words');
    expect(titleWith({ type: 'session_info', id: 'i1', name: 'A name' })).toBe('A name');
    expect(
      titleWith({ type: 'session_info', id: 'i1', name: 'A name' }, { type: 'session_info', id: 'i2', name: '' }),
    ).toBe('first words');
  });

  it('waits for a reply after a prompt, a result or a call, not after a shell command', () => {
    const waits = (...records: PiRecord[]): boolean => piSession(chained(...turn, ...records)).awaitsReply;
    expect(waits()).toBe(false);
    expect(waits(said('q2', 'more'))).toBe(true);
    expect(waits(replied('a3', [call('c3')]))).toBe(true);
    expect(waits(replied('a3', [call('c3')]), answered('r3', 'c3', 'done'))).toBe(true);
    expect(waits(message('s1', { role: 'bashExecution', command: 'ls', output: '' }))).toBe(false);
    expect(waits(said('q2', 'more'), replied('a3', [], { stopReason: 'aborted' }))).toBe(false);
  });

  it('counts roles it does not know, and keeps both records of an id that occurs twice', () => {
    const { conversation, otherRecords, issues } = piSession(
      chained(said('q1', 'one'), said('q1', 'two'), message('z1', { role: 'oracle' })),
    );
    expect(conversation.entries.map((entry) => entry.id)).toEqual(['q1', 'q1#2']);
    expect(otherRecords).toEqual({ session: 1, 'message/oracle': 1 });
    expect(issues).toMatchObject([{ line: 3 }]);
  });

  it('a session of version 1 goes by the order of the file, where a compaction names a place in it', () => {
    const records = [said('', 'one'), replied('', [text('first')]), said('', 'two'), replied('', [text('second')])];
    const v1 = records.map(({ id, ...record }) => record);
    const compaction = { type: 'compaction', summary: 'a summary', firstKeptEntryIndex: 3, tokensBefore: 5 };
    const { conversation } = piSession([{ type: 'session', id: 's', timestamp: 't' }, ...v1, 'no JSON', compaction]);
    expect(picture(conversation.agentContext)).toEqual(['summary: a summary', 'user: two', 'assistant: second']);
    expect(conversation.agentContext.map((entry) => entry.id)).toEqual(['line-7', 'line-4', 'line-5']);
  });
});
