import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { inEnglish } from '../../builders/in-english';
import { build } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { countVisitedItems } from '../gemini-cli/work';
import { answered, call, chained, compressed, fromUser, type QwenRow, replied, result, said, text } from './rows';

/* How Qwen Code 0.24.4 reads rows whose ids do not form a plain chain. */

const session = (...rows: QwenRow[]) => build(qwenCode, chained(...rows));

describe('Qwen Code rows with one id', () => {
  const reply = replied('b', text('two'));
  const more = { ...replied('b', text('two more')), parentUuid: 'elsewhere' };

  it('Qwen Code rows with one id form one message after the parent of the first', () => {
    const { conversation, issues } = session(said('a', 'one'), reply, more, said('c', 'three'));
    expect(picture(conversation.agentContext)).toEqual(['user: one', 'assistant: two + two more', 'user: three']);
    expect(conversation.entries).toEqual(conversation.agentContext);
    expect(issues.map(inEnglish)).toMatchObject([
      { line: 3, message: expect.stringContaining('reads both rows as one') },
    ]);
  });

  it('Qwen Code rows with one id form one prompt from which the session continues', () => {
    const again = said('a', 'again', '\n--- Content from referenced files ---');
    const { conversation } = session(said('a', 'one'), reply, again, { ...said('c', 'three'), parentUuid: 'a' });
    expect(picture(conversation.agentContext)).toEqual([
      'user: one + again',
      'injected: \n--- Content from referenced files ---',
      'user: three',
    ]);
    expect(conversation.entries.map((entry) => entry.id)).toEqual(['a', 'b', 'a:after', 'c']);
  });

  it('Qwen Code rows with one id form one reply with the usage of the last row', () => {
    const usage = (promptTokenCount: number) => ({ usageMetadata: { promptTokenCount, candidatesTokenCount: 1 } });
    const { conversation } = session(
      said('q', 'go'),
      { ...replied('b', call('c1')), ...usage(5) },
      { ...replied('b', call('c2')), ...usage(7) },
      answered('r', result('c1', 'first')),
      answered('r', result('c2', 'second')),
    );
    expect(picture(conversation.agentContext)).toEqual([
      'user: go',
      'assistant: shell c1 + shell c2',
      'tool: c1 → first',
      'tool: c2 → second',
    ]);
    expect(conversation.agentContext[1]?.usage?.input).toBe(7);
    expect(contextFaults(conversation.agentContext)).toEqual([]);
  });

  it('Qwen Code rows with one id cost the same as rows with different ids', () => {
    const rows = (count: number) => () =>
      void session(said('a', 'one'), ...Array.from({ length: count }, () => replied('b', text('x'))));
    expect(countVisitedItems(rows(400))).toBeLessThan(2.5 * countVisitedItems(rows(200)));
  });
});

describe('a Qwen Code row before its parent in the file', () => {
  const rows = [
    said('a', 'one'),
    { ...said('c', 'three'), parentUuid: 'b' },
    { ...replied('b', text('two')), parentUuid: 'a' },
    { ...replied('d', text('four')), parentUuid: 'c' },
  ];

  it('a Qwen Code row before its parent in the file is sent after a parent that follows in the file', () => {
    const { conversation, issues } = session(...rows);
    expect(picture(conversation.agentContext)).toEqual([
      'user: one',
      'assistant: two',
      'user: three',
      'assistant: four',
    ]);
    expect(issues).toEqual([]);
  });

  it('a Qwen Code row before its parent in the file has no parent until the parent was read', () => {
    const { conversation, issues } = session(...rows.slice(0, 2));
    expect(picture(conversation.agentContext)).toEqual(['user: three']);
    expect(issues).toMatchObject([{ line: 2 }]);
  });

  it('does not mark the session as beginning midway', () => {
    const [, ...late] = chained(said('z', ''), { ...said('c', 'three'), parentUuid: 'a' }, said('a', 'one'));
    const root = { ...late[1], parentUuid: null };
    expect(build(qwenCode, [late[0], root]).conversation.beginsMidway).toBeUndefined();
    expect(build(qwenCode, [late[0]]).conversation.beginsMidway).toBe(true);
  });

  it('visits a cycle of rows once', () => {
    const { conversation } = session({ ...said('a', 'one'), parentUuid: 'b' }, replied('b', text('two')));
    expect(picture(conversation.agentContext)).toEqual(['user: one', 'assistant: two']);
    expect(picture(session({ ...said('a', 'alone'), parentUuid: 'a' }).conversation.agentContext)).toEqual([
      'user: alone',
    ]);
  });
});

describe('a compression with placeholders', () => {
  it('lists recorded entries as replaced, not placeholders for lost results', () => {
    const { conversation } = session(
      said('q1', 'go'),
      replied('a1', call('c1')),
      said('q2', 'again'),
      compressed('k', fromUser(text('all'))),
    );
    expect(conversation.agentCompactions[0]?.replacedEntryIds).toEqual(['q1', 'a1', 'q2']);
  });
});

describe('a call in a user message', () => {
  it('shows a call in a user message as text', () => {
    const shown = 'injected: {"functionCall":{"name":"shell","args":{}}}';
    const { conversation } = session(
      said('q1', 'go'),
      compressed('k', fromUser(text('all')), fromUser(call('c1'))),
      said('q2', call('c2')),
      replied('a', text('well')),
    );
    expect(contextFaults(conversation.agentContext)).toEqual([]);
    expect(picture(conversation.agentContext)).toEqual([
      'summary: all',
      shown,
      shown.replace('injected', 'user'),
      'assistant: well',
    ]);
  });
});
