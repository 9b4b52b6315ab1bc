import { describe, expect, it } from 'vitest';
import { Changes } from '../../extension/cli/follow';
import { visibleJson } from '../../extension/protocol/visible-text';
import type { Session } from '../../extension/sessions/session';
import { assistant, type Said, talk, user } from '../builders/conversation';

function session(...said: readonly Said[]): Session {
  return {
    ...{ agent: 'pi', id: 's', file: 's.jsonl', cwd: null, title: null, model: null, live: false, awaitsReply: false },
    ...{ subagents: [], issues: [], otherRecords: {} },
    conversation: talk(...said),
  };
}

function kinds(changes: readonly object[]): string[] {
  return changes.map((change) => ('kind' in change ? String(change.kind) : ''));
}

describe('what following a session prints', () => {
  it('what following a session prints is each entry once, and then what is new', () => {
    const changes = new Changes();
    const before = session(user('one'), assistant('two'));
    expect(kinds(changes.of(before))).toEqual(['session', 'entry', 'entry']);
    expect(kinds(changes.of(before))).toEqual([]);
    const { entries } = before.conversation;
    const more = session(user('one'), assistant('two'), user('three')).conversation.entries.slice(2);
    const after = { ...before, conversation: { ...before.conversation, entries: [...entries, ...more] } };
    expect(kinds(changes.of(after))).toEqual(['entry']);
  });

  it('reports removed entries if a session with as many entries replaces it', () => {
    const changes = new Changes();
    changes.of(session({ ...user('one'), id: 'a' }, { ...assistant('two'), id: 'b' }));
    const other = session({ ...user('x'), id: 'c' }, { ...assistant('y'), id: 'd' });
    expect(kinds(changes.of(other))).toEqual(['entry-gone', 'entry-gone', 'entry', 'entry']);
  });

  it('what following a session prints has no character that a terminal acts on', () => {
    expect(visibleJson(JSON.stringify('a\u009b31m\u007fb'))).toBe('"a\\u009b31m\\u007fb"');
    expect(JSON.parse(visibleJson(JSON.stringify('a\u009b31m')))).toBe('a\u009b31m');
    const hidden = 'pay \u202ednamed\u202c \u200b\u{e0041} all';
    expect(visibleJson(JSON.stringify(hidden))).toBe('"pay \\u202ednamed\\u202c \\u200b\\udb40\\udc41 all"');
    expect(JSON.parse(visibleJson(JSON.stringify(hidden)))).toBe(hidden);
  });
});
