import { describe, expect, it } from 'vitest';
import { geminiCli } from '../../../extension/agents/gemini-cli/format/adapter';
import { build } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import {
  call,
  type GeminiRecord,
  header,
  listed,
  replied,
  result,
  rewound,
  said,
  text,
  thought,
  toolCall,
} from './records';

/* Expected values are the behaviour of Gemini CLI 0.61.0. */

const session = (...records: (GeminiRecord | string)[]) => build(geminiCli, [header, ...records]);

function contextOf(...records: GeminiRecord[]): string[] {
  const { conversation } = session(...records);
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  return picture(conversation.agentContext);
}

const thinking = { thoughts: [{ subject: 'Plan', description: 'look' }] };
const turn = [
  said('q1', 'go'),
  replied('a1', 'I look', thinking),
  replied('a1', 'I look', { ...thinking, toolCalls: [toolCall('c1', 'done')] }),
  said('r1', result('c1', 'done')),
  replied('a2', 'finished'),
];
const pictureOfTurn = ['user: go', 'assistant: I look + shell c1', 'tool: c1 → done', 'assistant: finished'];

/** The same messages as Gemini CLI writes them after a resume. */
const turnRestated = [
  said('q1', 'go'),
  replied('a1', [thought('**Plan** look'), text('I look'), call('c1')], { toolCalls: [toolCall('c1', 'done')] }),
  said('a1_response', result('c1', 'done')),
  said('r1', result('c1', 'done')),
  replied('a2', [text('finished')]),
];

describe('Gemini CLI messages', () => {
  it('Gemini CLI messages are sent in order, each once, without thoughts', () => {
    expect(contextOf(...turn)).toEqual(pictureOfTurn);
  });

  it('Gemini CLI messages keep their thoughts in the entries', () => {
    const { entries } = session(...turn).conversation;
    expect(picture(entries)[1]).toBe('assistant: (**Plan** look) + I look + shell c1');
    expect(entries.map((entry) => [entry.id, entry.origin.line])).toEqual([
      ['q1', 2],
      ['a1', 3],
      ['a1:c1', 4],
      ['a2', 6],
    ]);
  });

  it('Gemini CLI messages count usage once, with cached tokens separate and thoughts as output', () => {
    const tokens = { input: 100, output: 30, cached: 60, thoughts: 5, total: 135 };
    const { entries } = session(
      said('q1', 'go'),
      replied('a1', 'a', { tokens }),
      replied('a1', 'ab', { tokens }),
    ).conversation;
    expect(entries.map((entry) => entry.usage)).toEqual([
      undefined,
      { input: 40, output: 35, cacheRead: 60, cacheWrite: 0 },
    ]);
    expect(picture(entries)[1]).toBe('assistant: ab');
  });

  it('Gemini CLI messages show each result of parallel calls once', () => {
    const both = [result('c1', 'one'), result('c2', 'two')];
    const calls = ['c1', 'c2'].map((id) => ({ id, name: 'shell', args: {}, result: both }));
    expect(contextOf(replied('a1', '', { toolCalls: calls }), said('r1', ...both))).toEqual([
      'assistant: shell c1 + shell c2',
      'tool: c1 → one',
      'tool: c2 → two',
    ]);
  });

  it('Gemini CLI messages contain a placeholder for a lost result before the next message', () => {
    const lost = [said('q1', 'go'), replied('a1', '', { toolCalls: [toolCall('c1')] })];
    expect(contextOf(...lost)).toEqual(['user: go', 'assistant: shell c1']);
    expect(session(...lost).awaitsReply).toBe(true);
    expect(contextOf(...lost, said('q2', 'and?')).slice(2)).toEqual([
      expect.stringMatching(/^tool: c1 → The tool execution result was lost.* !$/),
      'user: and?',
    ]);
  });

  it('close a turn that ended with a result before the next prompt', () => {
    const stopped = [...turn.slice(0, 4), said('q2', 'and?')];
    expect(contextOf(...stopped).slice(2)).toEqual([
      'tool: c1 → done',
      'assistant: [The previous response was interrupted before it completed.]',
      'user: and?',
    ]);
    expect(session(...stopped).conversation.entries).toHaveLength(4);
  });

  it('Gemini CLI messages include images that a tool read, recorded as info messages', () => {
    const note = { id: 'i1', type: 'info', content: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] };
    const seen = replied('b1', [thought('Binary content received.')]);
    expect(contextOf(...turn.slice(0, 4), seen, note, replied('a2', 'finished')).slice(2)).toEqual([
      'tool: c1 → done',
      'injected: [image/png]',
      'assistant: finished',
    ]);
  });

  it('separate the environment and mentioned files from the prompt', () => {
    const { conversation, title } = session(
      said('s', '<session_context>\nhere\n</session_context>'),
      said('q1', 'read @a.txt', '\n--- Content from referenced files ---', 'the file'),
    );
    expect(conversation.agentContext.map(({ id, injected }) => [id, injected ?? false])).toEqual([
      ['s', true],
      ['q1', false],
      ['q1:after', true],
    ]);
    expect(title).toBe('read @a.txt');
  });

  it('Gemini CLI messages for display only are counted and not sent', () => {
    const note = { id: 'i1', type: 'info', content: 'Request cancelled.' };
    expect(contextOf(...turn, note)).toEqual(pictureOfTurn);
    expect(session(...turn, note, { what: 'ever' }).otherRecords).toEqual({
      header: 1,
      'message/info': 1,
      'no type': 1,
    });
  });
});

describe('a Gemini CLI list of all messages', () => {
  it('changes nothing if it has the same messages', () => {
    const before = session(...turn).conversation;
    const after = session(...turn, listed(...turnRestated)).conversation;
    expect(after).toEqual(before);
  });

  it('removes missing messages from the context', () => {
    expect(contextOf(...turn, said('q2', 'stopped'), listed(...turnRestated))).toEqual(pictureOfTurn);
  });

  it('restores messages that an earlier list removed', () => {
    const { conversation } = session(...turn, listed(), listed(...turnRestated));
    expect(picture(conversation.agentContext)).toEqual(pictureOfTurn);
    expect(conversation.entries).toHaveLength(4);
    expect(conversation.agentCompactions).toEqual([]);
  });

  it('a Gemini CLI list of all messages with a new summary is a compaction that keeps the other entries', () => {
    const snapshot = said('k', '<state_snapshot>all</state_snapshot>');
    const kept = [replied('n1', [text('I look'), call('c1')]), said('n2', result('c1', 'done'), result('c1', 'done'))];
    const list = listed(snapshot, replied('n0', [text('Got it.')]), ...kept);
    const { conversation } = session(...turn, list, listed(snapshot, replied('n0', [text('Got it.')]), ...kept));
    expect(contextFaults(conversation.agentContext)).toEqual([]);
    expect(picture(conversation.agentContext)).toEqual([
      'summary: <state_snapshot>all</state_snapshot>',
      'assistant: Got it.',
      'assistant: I look + shell c1',
      'tool: c1 → done',
    ]);
    expect(conversation.agentContext.map((entry) => entry.id)).toEqual(['k', 'n0', 'a1', 'a1:c1']);
    expect(conversation.agentCompactions).toMatchObject([
      { kind: 'summary', summaryEntryId: 'k', replacedEntryIds: ['q1', 'a2'], origin: { line: 7 } },
    ]);
  });

  it('a Gemini CLI list of all messages with cleared results is recorded once as a compaction of the kind cleared', () => {
    const emptied = turnRestated.map((message) =>
      JSON.parse(JSON.stringify(message).replaceAll('"done"', '"[masked]"')),
    );
    const { conversation } = session(...turn, listed(...emptied), listed(...emptied));
    expect(picture(conversation.agentContext)[2]).toBe('tool: c1 → [masked]');
    expect(picture(conversation.entries)[2]).toBe('tool: c1 → done');
    expect(conversation.agentCompactions).toMatchObject([
      { kind: 'cleared', summaryEntryId: null, replacedEntryIds: ['a1:c1'] },
    ]);
  });

  it('lists recorded entries as replaced, not placeholders', () => {
    const lost = [said('q1', 'go'), replied('a1', '', { toolCalls: [toolCall('c1')] }), said('q2', 'and?')];
    const { conversation } = session(...lost, listed(said('k', '<state_snapshot>all</state_snapshot>')));
    expect(conversation.agentCompactions[0]?.replacedEntryIds).toEqual(['q1', 'a1', 'q2']);
  });

  it('counts the usage of a rewritten reply under a new id once', () => {
    const tokens = { input: 100, output: 5, cached: 0, thoughts: 0 };
    const others = { input: 200, output: 5, cached: 0, thoughts: 0 };
    const { entries } = session(
      said('q1', 'go'),
      replied('a1', 'done', { tokens }),
      listed(said('q1', 'go'), replied('a9', 'done ', { tokens }), replied('a10', 'more', { tokens: others })),
      listed(said('q1', 'go'), replied('a11', ' done', { tokens })),
    ).conversation;
    expect(entries.flatMap(({ id, usage }) => (usage === undefined ? [] : [id]))).toEqual(['a1', 'a10']);
  });

  it('keeps an older entry when its message changes under a new id', () => {
    const snapshot = said('k', '<state_snapshot>all</state_snapshot>');
    const list = listed(snapshot, replied('n1', [text('finished')]));
    const { conversation } = session(...turn, list, replied('n1', 'finished', { toolCalls: [toolCall('c2', 'two')] }));
    expect(picture(conversation.agentContext).slice(1)).toEqual(['assistant: finished + shell c2', 'tool: c2 → two']);
    expect(picture(conversation.entries)[3]).toBe('assistant: finished');
  });
});

describe('a rewind in Gemini CLI', () => {
  it('removes the message and all later ones', () => {
    expect(contextOf(...turn, said('q2', 'wrong'), replied('a3', 'oh'), rewound('q2'), said('q3', 'right'))).toEqual([
      ...pictureOfTurn,
      'user: right',
    ]);
  });

  it('a rewind in Gemini CLI to an unknown message removes all messages', () => {
    expect(contextOf(...turn, rewound('nobody'), said('q2', 'anew'))).toEqual(['user: anew']);
  });

  it('allows the message to be added again', () => {
    expect(contextOf(said('q1', 'one'), rewound('q1'), said('q1', 'two'))).toEqual(['user: two']);
  });
});

describe('a Gemini CLI session', () => {
  it('takes its title from the recorded summary', () => {
    expect(session(...turn, { $set: { summary: 'Looks at files' } }).title).toBe('Looks at files');
  });

  it('a Gemini CLI session of a subagent has one prompt, and later user messages are injected', () => {
    const { conversation, parent } = session(
      { ...header, kind: 'subagent' },
      said('q1', 'look'),
      said('q2', 'finish now'),
    );
    expect(picture(conversation.agentContext)).toEqual(['user: look', 'injected: finish now']);
    expect(parent).toEqual({ file: null, callId: null });
  });

  it('reads a pretty-printed object of an older version', () => {
    const whole = { sessionId: 'old', projectHash: 'hash', messages: turn.filter((_, index) => index !== 1) };
    const lines = JSON.stringify(whole, null, 2).split('\n');
    const { id, conversation, issues } = build(geminiCli, lines);
    expect({ id, issues }).toEqual({ id: 'old', issues: [] });
    expect(picture(conversation.agentContext)).toEqual(pictureOfTurn);
    const line = conversation.entries[0]?.origin.line ?? 0;
    expect(lines.slice(line - 1, line + 1)).toEqual(['    {', '      "id": "q1",']);
    expect(build(geminiCli, lines.slice(0, -3)).issues).toHaveLength(1);
    expect(geminiCli.recognises(lines)).toBe(true);
  });

  it('reports a broken line and shows the rest', () => {
    const { conversation, issues } = session(turn[0] ?? {}, '{"id":"a1","type":"gem', turn[4] ?? {});
    expect(picture(conversation.agentContext)).toEqual(['user: go', 'assistant: finished']);
    expect(issues).toMatchObject([{ line: 3 }]);
  });
});
