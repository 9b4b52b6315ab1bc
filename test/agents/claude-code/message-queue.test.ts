import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../extension/agents/claude-code/format/adapter';
import { claudeSession } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { forked, piecesFrom, sentOf } from '../../sessions/forking';
import { picture } from '../../sessions/picture';
import { answered, call, chained, type Row, replied, repliedOn, said, text } from './rows';

/** A record of Claude Code's queue. It has no uuid and no parent. */
function queue(operation: string, content?: string, more: Row = {}): Row {
  return { type: 'queue-operation', operation, timestamp: '2026-01-05T10:00:00.000Z', content, ...more };
}

function queuedCommand(uuid: string, prompt: string, commandMode = 'prompt'): Row {
  return { type: 'attachment', uuid, attachment: { type: 'queued_command', prompt, commandMode } };
}

/** A turn with one call, these records while the call runs, and the reply after it. */
function turnWith(during: readonly Row[], after: readonly Row[] = []): Row[] {
  return chained(
    said('q1', 'go'),
    replied('a1', [call('c1')]),
    ...during,
    answered('r1', 'c1', 'done'),
    ...after,
    replied('a2', [text('finished')]),
  );
}

function contextOf(rows: readonly Row[]): string[] {
  const { conversation } = claudeSession(rows);
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  return picture(conversation.agentContext);
}

const turn = ['user: go', 'assistant: Bash c1', 'tool: c1 → done', 'assistant: finished'];
const turnSaying = (...words: string[]) => [
  ...turn.slice(0, 3),
  ...words.map((each) => `user: ${each}`),
  ...turn.slice(3),
];

describe('a message that a person queued while Claude Code worked', () => {
  it('a message that a person queued while Claude Code worked is read from the queue if no row has it', () => {
    const rows = turnWith([queue('enqueue', 'leave the tests alone'), queue('remove')]);
    expect(contextOf(rows)).toEqual(turnSaying('leave the tests alone'));
    const { conversation, issues } = claudeSession(rows);
    expect(conversation.entries.find((entry) => entry.id === 'line-3')).toEqual({
      id: 'line-3',
      role: 'user',
      parts: [{ type: 'text', text: 'leave the tests alone' }],
      timestamp: '2026-01-05T10:00:00.000Z',
      origin: { file: expect.any(String), line: 3 },
    });
    expect(issues).toEqual([]);
  });

  it('a message that a person queued while Claude Code worked is read although a notification has waited for longer', () => {
    const notification = JSON.stringify({
      task_id: 'b1',
      tool_use_id: 't',
      description: 'Run',
      task_type: 'local_bash',
    });
    const rows = turnWith([
      queue('enqueue', notification),
      queue('enqueue', 'we use migrations in staging too'),
      queue('remove'),
    ]);
    expect(contextOf(rows)).toEqual(turnSaying('we use migrations in staging too'));
  });

  it('keeps its order among several', () => {
    const rows = turnWith([
      queue('enqueue', 'one'),
      queue('enqueue', 'two'),
      queue('remove', 'two'),
      queue('remove', 'one'),
    ]);
    expect(contextOf(rows)).toEqual(turnSaying('one', 'two'));
  });

  it('a message that a person queued while Claude Code worked is read once if an attachment has it, before or after it leaves the queue', () => {
    const enqueued = queue('enqueue', 'stop that');
    const removed = queue('remove', 'stop that', { reason: 'absorbed_mid_turn' });
    const attached = queuedCommand('w1', 'stop that');
    expect(contextOf(turnWith([enqueued, removed], [attached]))).toEqual(turnSaying('stop that'));
    expect(contextOf(turnWith([enqueued], [attached, removed]))).toEqual(turnSaying('stop that'));
  });

  it('a message that a person queued while Claude Code worked is read once if the attachment has its text in another form', () => {
    const rows = turnWith(
      [queue('enqueue', '[Pasted text #1 +2 lines]'), queue('remove')],
      [queuedCommand('w1', 'first line\nsecond line\nthird line')],
    );
    expect(contextOf(rows)).toEqual(turnSaying('first line\nsecond line\nthird line'));
  });

  it('a message that a person queued while Claude Code worked is read once if it begins a turn of its own, alone or together with others', () => {
    const queued = [queue('enqueue', 'one'), queue('enqueue', 'two')];
    const taken = [queue('dequeue'), queue('dequeue')];
    const rows = [...turnWith(queued), ...taken, ...chained(said('q2', 'one\ntwo'), replied('a3', [text('both')]))];
    Object.assign(rows.at(-2) ?? {}, { parentUuid: 'a2' });
    expect(contextOf(rows)).toEqual([...turn, 'user: one\ntwo', 'assistant: both']);
  });

  it('a message that a person queued while Claude Code worked is read once if it was removed from the queue and a user row has it', () => {
    const rows = turnWith([queue('enqueue', 'two'), queue('remove', 'two')], [said('q2', 'two')]);
    expect(contextOf(rows)).toEqual(turnSaying('two'));
  });

  it('a message that a person queued while Claude Code worked is not in the context while it waits, after the person withdrew it, or if a subagent got it', () => {
    expect(contextOf(turnWith([queue('enqueue', 'later')]))).toEqual(turn);
    expect(contextOf(turnWith([queue('enqueue', 'never'), queue('popAll', 'never')]))).toEqual(turn);
    expect(contextOf(turnWith([queue('enqueue', 'never'), queue('enqueue', 'mind'), queue('popAll')]))).toEqual(turn);
    const toSubagent = queue('remove', 'for you', { reason: 'delivered_to_agent' });
    expect(contextOf(turnWith([queue('enqueue', 'for you'), toSubagent]))).toEqual(turn);
  });

  it('a message that a person queued while Claude Code worked does not include notifications, commands and messages of other programs', () => {
    for (const content of [
      '<task-notification>\n<task-id>a</task-id>',
      '{"task_id":"b1","tool_use_id":"toolu_1","description":"Start the server","task_type":"local_bash"}',
      '/compact keep it',
      '<channel source="x">hi',
      ' ',
    ])
      expect(contextOf(turnWith([queue('enqueue', content), queue('remove', content)]))).toEqual(turn);
    const path = '/etc/hosts is wrong';
    expect(contextOf(turnWith([queue('enqueue', path), queue('remove', path)]))).toEqual(turnSaying(path));
  });

  it('a message that a person queued while Claude Code worked comes before the reply that follows, not within the one that is being written', () => {
    const rows = chained(
      said('q1', 'go'),
      replied('a1', [text('I look.')]),
      queue('enqueue', 'hurry'),
      queue('remove'),
      repliedOn('a1b', 'a1', [call('c1')]),
      answered('r1', 'c1', 'done'),
      replied('a2', [text('finished')]),
    );
    expect(contextOf(rows)).toEqual([
      'user: go',
      'assistant: I look. + Bash c1',
      'tool: c1 → done',
      'user: hurry',
      'assistant: finished',
    ]);
  });

  it('a message that a person queued while Claude Code worked stays on its branch', async () => {
    const rows = [
      ...turnWith([
        queue('enqueue', 'leave the tests alone'),
        queue('enqueue', 'and hurry'),
        queue('remove'),
        queue('remove'),
      ]),
      ...chained(said('q2', 'more'), replied('a3', [text('done again')])),
    ];
    Object.assign(rows.at(-2) ?? {}, { parentUuid: 'a2' });
    const before = claudeSession(rows).conversation.entries.find((entry) => entry.id === 'q2');
    if (before === undefined) throw new Error('no second prompt');
    const { session, lines } = await forked(claudeCode, rows, { before });
    expect(sentOf(session.conversation.agentContext)).toEqual(turnSaying('leave the tests alone', 'and hurry'));
    expect(new Set(lines.map((line) => JSON.parse(line).sessionId))).toEqual(new Set([session.id]));
  });

  it('a message that a person queued while Claude Code worked is said again by a compacted fork, and can be gone back to', async () => {
    const rows = turnWith([queue('enqueue', 'leave the tests alone'), queue('remove')]);
    const { session } = await forked(claudeCode, rows, { pieces: (copy) => piecesFrom(copy, 'q1') });
    expect(sentOf(session.conversation.agentContext)).toEqual(turnSaying('leave the tests alone'));
    const before = claudeSession(rows).conversation.entries.find((entry) => entry.id === 'line-3');
    if (before === undefined) throw new Error('no entry for the queued message');
    const branch = await forked(claudeCode, rows, { before });
    expect(sentOf(branch.session.conversation.agentContext)).toEqual(turn.slice(0, 2));
  });
});
