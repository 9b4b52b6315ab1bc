import { describe, expect, it } from 'vitest';
import { codex } from '../../../extension/agents/codex/format/adapter';
import { pictureTag } from '../../../extension/agents/codex/format/records';
import { wholeFile } from '../../builders/whole-file';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import {
  answered,
  type CodexRecord,
  called,
  callItem,
  codexSession,
  compacted,
  event,
  item,
  meta,
  outputItem,
  record,
  replied,
  said,
  textItem,
  thought,
  told,
  used,
  userItem,
} from './records';

function contextOf(...records: unknown[]): string[] {
  const { agentContext } = codexSession([meta, ...records]).conversation;
  expect(contextFaults(agentContext)).toEqual([]);
  return picture(agentContext);
}

describe('a reply', () => {
  it('a reply is one entry of all its items, with its usage', () => {
    const { entries } = codexSession([
      meta,
      record('turn_context', { model: 'gpt', cwd: '/work' }),
      said('q1', 'go'),
      thought('t1', 'hm'),
      replied('a1', 'Let me look.'),
      called('c1'),
      called('c2'),
      used(100, 60, 7),
      answered('c1', 'one'),
      answered('c2', 'two'),
      thought('t2', 'so'),
      replied('a2', 'done'),
      used(130, 90, 5),
    ]).conversation;
    expect(picture(entries)).toEqual([
      'user: go',
      'assistant: (hm) + Let me look. + shell c1 + shell c2',
      'tool: c1 → one',
      'tool: c2 → two',
      'assistant: (so) + done',
    ]);
    expect(entries.map((entry) => entry.usage?.input)).toEqual([undefined, 40, undefined, undefined, 40]);
    expect(entries[1]).toMatchObject({ id: 't1', model: 'gpt', usage: { input: 40, cacheRead: 60, output: 7 } });
  });

  it('a reply has the usage of an older version once, although it is recorded twice', () => {
    const count = (total: number, input: number) =>
      event('token_count', {
        info: {
          total_token_usage: { total_tokens: total },
          last_token_usage: { input_tokens: input, output_tokens: 1 },
        },
      });
    const session = codexSession([
      meta,
      said('q1', 'one'),
      replied('a1', 'first'),
      count(11, 10),
      count(11, 10),
      said('q2', 'two'),
      count(11, 10),
      replied('a2', 'second'),
      count(32, 20),
    ]);
    expect(session.conversation.entries.map((entry) => entry.usage?.input)).toEqual([undefined, 10, undefined, 20]);
  });

  it('says what is readable of encrypted reasoning, which may be nothing', () => {
    expect(contextOf(said('q', 'go'), thought('t'), replied('a', 'ok'))).toEqual(['user: go', 'assistant: () + ok']);
  });
});

describe('tools', () => {
  it('tools are shown whatever kind of call they are', () => {
    const records = [
      said('q', 'go'),
      item({ type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin' }),
      item({ type: 'local_shell_call', call_id: 'c2', action: { command: ['ls'] } }),
      item({ type: 'web_search_call', action: { type: 'search', query: 'weather' } }),
      item({ type: 'custom_tool_call_output', call_id: 'c1', output: 'patched' }),
      answered('c2', { content: 'a.txt', success: false }),
    ];
    expect(contextOf(...records)).toEqual([
      'user: go',
      'assistant: apply_patch c1 + local_shell c2 + [Web search: weather]',
      'tool: c1 → patched',
      'tool: c2 → a.txt !',
    ]);
  });

  it.each([
    ['Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file', true],
    ['Wall time: 0.0 seconds\nProcess exited with code 127\nOutput:\nnot found', true],
    ['{"output":"no","metadata":{"exit_code":2,"duration_seconds":0.1}}', true],
    ['Exit code: 0\nOutput:\nExit code: 1', false],
    ['a.txt', false],
  ])('tell how a command ended: %j', (output, isError) => {
    const { entries } = codexSession([meta, called('c'), answered('c', output)]).conversation;
    expect(entries[1]?.parts[0]).toMatchObject({ isError, name: 'shell' });
  });

  it('tools may give pictures', () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const { entries } = codexSession([meta, called('c'), answered('c', [picture])]).conversation;
    expect(entries[1]?.parts).toMatchObject([{ text: '' }, { type: 'image', mediaType: 'image/png', data: 'AAAA' }]);
  });

  it('tools that never gave a result are answered as Codex answers them, once work went on', () => {
    const open = [said('q', 'go'), called('c1'), called('c2'), answered('c1', 'one')];
    expect(contextOf(...open)).toEqual(['user: go', 'assistant: shell c1 + shell c2', 'tool: c1 → one']);
    expect(contextOf(...open, said('q2', 'on'))).toEqual([
      'user: go',
      'assistant: shell c1 + shell c2',
      'tool: c2 → aborted !',
      'tool: c1 → one',
      'user: on',
    ]);
  });

  it('tools have no result without a call, nor two', () => {
    const once = [called('c1'), answered('c1', 'one')];
    expect(contextOf(answered('c0', 'none'), ...once, answered('c1', 'again'))).toEqual([
      'assistant: shell c1',
      'tool: c1 → one',
    ]);
  });
});

describe('text that no person wrote', () => {
  it.each(['environments.environment_context', 'generic.turn_aborted', 'multi_agent.subagent_notification'])(
    'is told by what Codex calls it: %s',
    (kind) => {
      expect(contextOf(told('m', 'words', kind))).toEqual(['injected: words']);
    },
  );

  it('text that no person wrote is recognized by its beginning if an older version does not mark it', () => {
    const old = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    expect(
      contextOf(
        old('<environment_context>\n<cwd>/</cwd>\n</environment_context>'),
        old('# AGENTS.md instructions for /work'),
        old('<div> is a tag'),
      ).map((line) => line.slice(0, 14)),
    ).toEqual(['injected: <env', 'injected: # AG', 'user: <div> is']);
  });

  const typed = (text: string, kind?: string) => event('user_message', { message: text, ...(kind ? { kind } : {}) });
  const guessed = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
  const heading = '# AGENTS.md instructions should be shorter';

  it('text that looks injected is the person’s if an older version repeats it as typed', () => {
    const session = codexSession([meta, guessed('<skill>'), guessed(heading), typed(heading), replied('a', 'ok')]);
    expect(picture(session.conversation.agentContext)).toEqual([
      'injected: <skill>',
      `user: ${heading}`,
      'assistant: ok',
    ]);
    expect(session.title).toBe('AGENTS.md instructions should be shorter');
    expect(codexSession([meta, guessed(heading), typed(heading)]).awaitsReply).toBe(true);
    const rolledBack = event('thread_rolled_back', { num_turns: 1 });
    expect(contextOf(guessed('<skill>'), guessed(heading), typed(heading), replied('a', 'ok'), rolledBack)).toEqual([
      'injected: <skill>',
    ]);
  });

  it.each([
    ['it repeats another text', [typed('shorter')]],
    ['it repeats its own', [typed(heading, 'user_instructions')]],
    ['a reply came before', [replied('a', 'ok'), typed(heading)]],
  ])('stays so where %s', (_what, records) => {
    expect(contextOf(guessed(heading), ...records)[0]).toBe(`injected: ${heading}`);
  });

  it('text that no person wrote stays so if the version names its kind', () => {
    expect(contextOf(told('m', heading, 'generic.instructions'), typed(heading))).toEqual([`injected: ${heading}`]);
  });

  it('text that no person wrote is a system prompt in the role developer', () => {
    expect(contextOf(item(textItem('d', 'be good', 'developer')))).toEqual(['system: be good']);
  });

  it('text that no person wrote is not a title, and neither is the tag around a picture', () => {
    const content = [
      { type: 'input_text', text: '<image name=[Image #1] path="dot.png">' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_text', text: '</image>' },
      { type: 'input_text', text: 'What is it?' },
    ];
    const prompt = { ...userItem('q', ''), content };
    const session = codexSession([meta, told('e', 'here', 'environments.environment_context'), item(prompt)]);
    expect(session.title).toBe('What is it?');
    expect(session.conversation.entries[1]?.parts.map((part) => part.type)).toEqual(['text', 'image', 'text', 'text']);
  });
});

describe('the tag around a picture', () => {
  it('the tag around a picture is recognized within its line, so a prompt is scanned only once', () => {
    const text = '\n\n \t<image name=[Image #1]> \r\n\n</image>\n\n<image x\n<image y\n>words';
    expect(text.match(pictureTag)).toEqual([' \t<image name=[Image #1]> \r', '</image>']);
  });
});

describe('a compaction', () => {
  const turn = [said('q1', 'one'), called('c1'), answered('c1', 'x'), replied('a1', 'did one')];

  it('puts its list in place of everything, keeping entries that stay as they were', () => {
    const before = codexSession([meta, ...turn]).conversation.entries;
    const summary = userItem('s', 'what was done', 'compaction.summary');
    const { conversation } = codexSession([
      meta,
      ...turn,
      compacted([userItem('q1', 'one'), summary]),
      event('token_count', { info: { last_token_usage: { input_tokens: 0, output_tokens: 0, total_tokens: 42 } } }),
      said('q2', 'two'),
    ]);
    expect(picture(conversation.agentContext)).toEqual(['user: one', 'summary: what was done', 'user: two']);
    expect(conversation.agentContext[0]).toEqual(before[0]);
    expect(conversation.agentCompactions).toMatchObject([
      { summaryEntryId: 's', replacedEntryIds: ['fc_c1', 'fco_c1', 'a1'], tokensAfter: 42 },
    ]);
    expect(conversation.agentCompactions[0]).not.toHaveProperty('isOpaque');
  });

  it('a compaction is recognized by its text if the version does not name its kind', () => {
    const summary = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'in short' }] };
    expect(contextOf(...turn, compacted([userItem('q1', 'one'), summary], 'in short'))).toEqual([
      'user: one',
      'summary: in short',
    ]);
  });

  it('a compaction of an older version keeps what the person said', () => {
    expect(contextOf(...turn, record('compacted', { message: 'in short' }), said('q2', 'two'))).toEqual([
      'user: one',
      'summary: in short',
      'user: two',
    ]);
  });

  it('a compaction says so if only the provider can read it', () => {
    const { conversation } = codexSession([
      meta,
      ...turn,
      compacted([userItem('q1', 'one'), { type: 'compaction', id: 'cmp', encrypted_content: 'AAAA' }]),
    ]);
    expect(conversation.agentCompactions).toMatchObject([{ summaryEntryId: 'cmp', isOpaque: true }]);
    expect(picture(conversation.agentContext)[1]).toMatch(/^summary: .*encrypted: only that provider can read it\.$/);
  });

  it('a compaction may keep replies, whole or changed, each as the entry that it was', () => {
    const { conversation } = codexSession([
      meta,
      ...turn,
      compacted([callItem('c1'), outputItem('c1', '[cleared]'), textItem('a1', 'did one'), textItem('n', 'new')]),
    ]);
    expect(picture(conversation.agentContext)).toEqual([
      'assistant: shell c1',
      'tool: c1 → [cleared]',
      'assistant: did one',
      'assistant: new',
    ]);
    expect(conversation.agentContext.map((entry) => entry.id)).toEqual(['fc_c1', 'fco_c1', 'a1', 'n']);
    expect(picture(conversation.entries)[2]).toBe('tool: c1 → x');
  });

  it('never lists one entry twice', () => {
    const twice = [userItem('q1', 'one'), userItem('q1', 'one')];
    expect(contextOf(...turn, compacted(twice))).toEqual(['user: one', 'user: one']);
  });
});

describe('a rollback', () => {
  const turns = [
    event('task_started'),
    told('e', 'here', 'environments.environment_context'),
    said('q1', 'one'),
    replied('a1', 'did one'),
    event('task_started'),
    said('q2', 'two'),
    replied('a2', 'did two'),
  ];

  it('removes rolled back prompts with everything after them', () => {
    expect(contextOf(...turns, event('thread_rolled_back', { num_turns: 1 }), said('q3', 'three'))).toEqual([
      'injected: here',
      'user: one',
      'assistant: did one',
      'user: three',
    ]);
  });

  it('takes back a compaction of such a turn, too', () => {
    const summary = userItem('s', 'short', 'compaction.summary');
    const records = [...turns, event('task_started'), compacted([summary]), said('q3', 'three')];
    expect(contextOf(...records, event('thread_rolled_back', { num_turns: 1 }))).toEqual(contextOf(...turns));
  });

  it('leaves what Codex said before the first prompt, however far it goes', () => {
    expect(contextOf(...turns, event('thread_rolled_back', { num_turns: 9 }))).toEqual(['injected: here']);
  });
});

describe('the session', () => {
  it('the session has its model, window, folder and name, and the records outside the conversation', () => {
    const session = codexSession([
      meta,
      record('turn_context', { model: 'gpt-6', cwd: '/elsewhere' }),
      event('task_started', { model_context_window: 190_000 }),
      said('q', 'the first words'),
      event('thread_name_updated', { thread_name: 'A name' }),
      record('of_tomorrow', {}),
      item({ type: 'of_tomorrow' }),
      'half a li',
    ]);
    expect(session).toMatchObject({
      id: 'thread',
      cwd: '/work',
      title: 'A name',
      model: 'gpt-6',
      contextWindow: 190_000,
      awaitsReply: true,
      otherRecords: { session_meta: 1, of_tomorrow: 1, 'response_item/of_tomorrow': 1 },
      issues: [{ line: 8 }],
    });
  });

  it('the session has no parent if it names itself as one', () => {
    const own = record('session_meta', { id: 'thread', parent_thread_id: 'thread' });
    expect(codexSession([own])).not.toHaveProperty('parent');
    expect(codex.summarise(wholeFile([JSON.stringify(own)]))).not.toHaveProperty('isUnlisted');
  });

  it.each<[string, CodexRecord[], boolean]>([
    ['a prompt', [said('q', 'go')], true],
    ['a prompt that was called off', [said('q', 'go'), event('turn_aborted')], false],
    ['an answer', [said('q', 'go'), replied('a', 'ok')], false],
    ['a call', [called('c')], true],
    ['a result', [called('c'), answered('c', 'x')], true],
  ])('waits for Codex, or does not: after %s', (_what, records, awaitsReply) => {
    expect(codexSession([meta, ...records]).awaitsReply).toBe(awaitsReply);
  });

  it('forked by an older version contains the records of its original, and keeps its own id', () => {
    const original = record('session_meta', { id: 'original', cwd: '/before' });
    expect(codexSession([meta, original, said('q', 'go')])).toMatchObject({ id: 'thread', cwd: '/work' });
  });
});
