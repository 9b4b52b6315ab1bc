import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { build } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import {
  answered,
  call,
  chained,
  compressed,
  fromModel,
  fromUser,
  notified,
  type QwenRow,
  replied,
  result,
  said,
  system,
  text,
  thought,
} from './rows';

/* Expected values are the behaviour of Qwen Code 0.24.4. */

const session = (...rows: QwenRow[]) => build(qwenCode, chained(...rows));

function contextOf(...rows: QwenRow[]): string[] {
  const { conversation } = session(...rows);
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  return picture(conversation.agentContext);
}

const turn = [
  said('q1', 'go'),
  replied('a1', thought('hm'), call('c1')),
  answered('r1', result('c1', 'done')),
  replied('a2', text('finished')),
];
const pictureOfTurn = ['user: go', 'assistant: (hm) + shell c1', 'tool: c1 → done', 'assistant: finished'];

describe('branches of a Qwen Code session', () => {
  it('sends the path from the newest row to the root without rewound rows', () => {
    const rewound = { ...system('w', 'rewind'), parentUuid: 'a2' };
    expect(contextOf(...turn, said('q2', 'wrong'), replied('a3', text('oh')), rewound, said('q3', 'right'))).toEqual([
      ...pictureOfTurn,
      'user: right',
    ]);
  });

  it('starts the context after a missing row, and reports an issue', () => {
    const { conversation, issues } = session(said('q1', 'one'), { ...said('q2', 'two'), parentUuid: 'gone' });
    expect(picture(conversation.agentContext)).toEqual(['user: two']);
    expect(issues).toMatchObject([{ line: 2 }]);
  });

  it('ignores rows outside the chain', () => {
    const unchained = system('s', 'session_sources_snapshot');
    expect(contextOf(...turn, unchained, { ...said('q2', 'more'), parentUuid: 'a2' })).toEqual([
      ...pictureOfTurn,
      'user: more',
    ]);
  });
});

describe('the author of a Qwen Code message', () => {
  it('separates reminders, mentioned files and hook output from the prompt', () => {
    const prompt = said(
      'q1',
      '<system-reminder>\nan agent was restored\n</system-reminder>\n\n',
      'read @a.txt',
      '\n--- Content from referenced files ---',
      'the file',
      '<qwen:user-prompt-submit-context>\nhook\n</qwen:user-prompt-submit-context>',
    );
    const { conversation, title } = session(prompt);
    expect(conversation.agentContext.map(({ id, injected }) => [id, injected ?? false])).toEqual([
      ['q1:before', true],
      ['q1', false],
      ['q1:after', true],
    ]);
    expect(title).toBe('read @a.txt');
  });

  it('marks notifications as injected, and awaits a reply to them', () => {
    const { conversation, awaitsReply } = session(...turn, notified('n', 'the task ended'));
    expect(picture(conversation.agentContext).at(-1)).toBe('injected: the task ended');
    expect(awaitsReply).toBe(true);
  });

  it('removes a command that Qwen Code answered itself', () => {
    const answer = system('s', 'slash_command', {
      phase: 'result',
      rawCommand: '/about',
      outputHistoryItems: [{ type: 'assistant' }],
    });
    expect(contextOf(...turn, said('q2', '/about'), answer)).toEqual(pictureOfTurn);
  });
});

describe('calls and results of a Qwen Code session', () => {
  it('adds a placeholder for a missing result before the next message', () => {
    const lost = [said('q1', 'go'), replied('a1', call('c1'), call('c2')), answered('r1', result('c2', 'two'))];
    expect(contextOf(...lost)).toEqual(['user: go', 'assistant: shell c1 + shell c2', 'tool: c2 → two']);
    expect(contextOf(...lost, said('q2', 'and?')).slice(2)).toEqual([
      'tool: c2 → two',
      expect.stringMatching(/^tool: c1 → Tool execution result was not recorded.* !$/),
      'user: and?',
    ]);
  });

  it('pairs calls and results without ids by name and order', () => {
    const pictures = contextOf(
      said('q1', 'go'),
      replied('a1', call(undefined, 'read'), call(undefined, 'shell'), call(undefined, 'read')),
      answered('r1', result(undefined, 'first', 'read'), result(undefined, 'second', 'read')),
      answered('r2', result(undefined, 'listed', 'shell')),
    );
    expect(pictures.slice(2)).toEqual([
      'tool: read-without-id-1 → first',
      'tool: read-without-id-3 → second',
      'tool: shell-without-id-2 → listed',
    ]);
  });

  it('shows errors, images, and objects as JSON', () => {
    const failed = { functionResponse: { id: 'c1', name: 'shell', response: { error: 'no such file' } } };
    const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }];
    const pictured = { functionResponse: { id: 'c2', name: 'read', response: { output: '' }, parts } };
    const other = { functionResponse: { id: 'c3', name: 'mcp', response: { rows: 3 } } };
    expect(
      contextOf(replied('a1', call('c1'), call('c2'), call('c3')), answered('r1', failed, pictured, other)).slice(1),
    ).toEqual(['tool: c1 → no such file !', 'tool: c2 →  + [image/png]', 'tool: c3 → {"rows":3}']);
  });

  it('merges the rows of one reply of a subagent', () => {
    const aside = { isSidechain: true, agentId: 'general-c9', agentName: 'general' };
    const rows = [
      said('q1', 'look'),
      { ...replied('a1', thought('hm'), text('I look')), usageMetadata: { promptTokenCount: 5, totalTokenCount: 9 } },
      replied('a2', call('c1')),
      replied('a3', call('c2')),
      answered('r1', result('c1', 'one')),
      answered('r2', result('c2', 'two')),
    ].map((row) => ({ ...row, ...aside }));
    const { conversation, id, parent } = session(...rows);
    expect(picture(conversation.agentContext)).toEqual([
      'user: look',
      'assistant: (hm) + I look + shell c1 + shell c2',
      'tool: c1 → one',
      'tool: c2 → two',
    ]);
    expect(conversation.entries).toEqual(conversation.agentContext);
    expect({ id, parent }).toEqual({ id: 'general-c9', parent: { file: null, callId: 'c9' } });
  });
});

describe('a compression by Qwen Code', () => {
  const summary = fromUser(text('<state_snapshot>all</state_snapshot>'));

  it('replaces all earlier entries by its history', () => {
    const { conversation } = session(...turn, compressed('k', summary, fromModel(text('Got it.'))), said('q2', 'more'));
    expect(picture(conversation.agentContext)).toEqual([
      'summary: <state_snapshot>all</state_snapshot>',
      'assistant: Got it.',
      'user: more',
    ]);
    expect(conversation.agentCompactions).toMatchObject([
      {
        id: 'k',
        kind: 'summary',
        summaryEntryId: 'k:1',
        replacedEntryIds: ['q1', 'a1', 'r1', 'a2'],
        tokensBefore: 900,
        tokensAfter: 100,
        trigger: 'manual',
      },
    ]);
  });

  it('keeps the ids of earlier entries without their thoughts', () => {
    const kept = [fromUser(text('go')), fromModel(call('c1')), fromUser(result('c1', 'done'))];
    const { conversation } = session(...turn, compressed('k', summary, ...kept));
    expect(conversation.agentContext.map((entry) => entry.id)).toEqual(['k:1', 'q1', 'a1', 'r1']);
    expect(picture(conversation.agentContext)[2]).toBe('assistant: shell c1');
    expect(conversation.agentCompactions[0]?.replacedEntryIds).toEqual(['a2']);
  });

  it('a compression by Qwen Code is of the kind cleared if it only cleared results', () => {
    const emptied = [fromUser(text('go')), fromModel(thought('hm'), call('c1')), fromUser(result('c1', '[cleared]'))];
    const { conversation } = session(...turn, compressed('k', ...emptied, fromModel(text('finished'))));
    expect(picture(conversation.agentContext)[2]).toBe('tool: c1 → [cleared]');
    expect(picture(conversation.entries)[2]).toBe('tool: c1 → done');
    expect(conversation.agentCompactions).toMatchObject([
      { kind: 'cleared', summaryEntryId: null, replacedEntryIds: ['r1'] },
    ]);
  });
});

describe('a Qwen Code session', () => {
  it('counts usage once, and subtracts the cached tokens from the input', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 10,
      totalTokenCount: 130,
      cachedContentTokenCount: 60,
    };
    const telemetry = { uiEvent: { input_token_count: 100, output_token_count: 30 } };
    const { conversation, otherRecords } = session(said('q1', 'go'), system('s', 'ui_telemetry', telemetry), {
      ...replied('a1', text('done')),
      usageMetadata,
    });
    expect(conversation.entries.map((entry) => entry.usage)).toEqual([
      undefined,
      { input: 40, output: 30, cacheRead: 60, cacheWrite: 0 },
    ]);
    expect(otherRecords).toEqual({ 'system/ui_telemetry': 1 });
  });

  it('reads its custom title and context window', () => {
    const { title, contextWindow, model } = session(
      said('q1', 'go'),
      { ...replied('a1', text('done')), contextWindowSize: 5000 },
      system('s', 'custom_title', { customTitle: 'My session' }),
    );
    expect({ title, contextWindow, model }).toEqual({ title: 'My session', contextWindow: 5000, model: 'scripted' });
  });
});
