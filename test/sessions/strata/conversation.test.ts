import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedSession } from '../../../extension/sessions/session';
import { strata } from '../../../extension/sessions/strata/adapter';
import { build } from '../build';
import { contextFaults } from '../context-faults';
import { picture, speakerAndLine } from '../picture';
import { call, ended, header, leaf, piece, replied, result, said, system } from './records';

function conversation(...records: readonly unknown[]): ParsedSession {
  return build(strata, [header, ...records]);
}

function seen(...records: readonly unknown[]): string[] {
  return picture(conversation(...records).conversation.agentContext);
}

const messages = (session: ParsedSession): string[] => session.issues.map(({ line, message }) => `${line} ${message}`);

describe('the tree of a conversation', () => {
  it('continues after the newest message', () => {
    const session = conversation(said('q1', null, 'hi'), replied('a1', 'q1', 'hello'), said('q2', 'a1', 'more'));
    expect(picture(session.conversation.agentContext)).toEqual(['user: hi', 'assistant: hello', 'user: more']);
    expect(session.conversation.entries.map(speakerAndLine)).toEqual(['user 2', 'assistant 3', 'user 4']);
    expect(session).toMatchObject({
      agent: 'strata',
      id: 'conversation-1',
      cwd: '/home/anna/app',
      title: 'hi',
      issues: [],
    });
  });

  it('keeps a message that was edited beside its new form, and sends only that', () => {
    const session = conversation(
      said('q1', null, 'first'),
      replied('a1', 'q1', 'one'),
      said('q2', 'a1', 'secnd'),
      replied('a2', 'q2', 'what?'),
      said('q2b', 'a1', 'second'),
      replied('a2b', 'q2b', 'two'),
    );
    expect(picture(session.conversation.agentContext)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'assistant: two',
    ]);
    expect(session.conversation.entries).toHaveLength(6);
  });

  it('the tree of a conversation goes back to a leaf, to the beginning, and stays where it is if there is no such leaf', () => {
    const chain = [
      said('q1', null, 'one'),
      replied('a1', 'q1', '1'),
      said('q2', 'a1', 'two'),
      replied('a2', 'q2', '2'),
    ];
    expect(seen(...chain, leaf('a1'))).toEqual(['user: one', 'assistant: 1']);
    expect(seen(...chain, leaf(null))).toEqual([]);
    const lost = conversation(...chain, leaf('gone'), { type: 'leaf' });
    expect(lost.conversation.agentContext).toHaveLength(4);
    expect(lost.issues.map(({ line }) => line)).toEqual([6, 7]);
  });

  it('loses one message with a broken line, not all that came before it', () => {
    const session = conversation(said('q1', null, 'one'), '{"type":"entry","par', said('q2', 'a1', 'two'));
    expect(picture(session.conversation.agentContext)).toEqual(['user: one', 'user: two']);
    expect(messages(session)).toEqual([
      expect.stringMatching(/^3 .*not valid JSON/),
      '4 The message before this one is not in this file; this one is shown after the newest one that is',
    ]);
  });

  it('sends the newest system prompt before everything, whichever way the tree went', () => {
    const session = conversation(system('s1', 'be kind'), said('q1', null, 'hi'), system('s2', 'be brief'), leaf('q1'));
    expect(picture(session.conversation.agentContext)).toEqual(['system: be brief', 'user: hi']);
    expect(session.conversation.entries).toHaveLength(3);
    expect(session.title).toBe('hi');
  });

  it('answers a call that never got a result, once work continues', () => {
    const chain = [said('q1', null, 'go'), replied('a1', 'q1', call('c1'), call('c2')), result('t1', 'a1', 'c1', 'A')];
    expect(seen(...chain)).toEqual(['user: go', 'assistant: read c1 + read c2', 'tool: c1 → A']);
    expect(seen(...chain, said('q2', 't1', 'well?')).slice(2)).toEqual([
      'tool: c1 → A',
      'tool: c2 → No result: the tool was interrupted before it answered. !',
      'user: well?',
    ]);
  });
});

describe('a reply that is written while it comes', () => {
  const asked = said('q1', null, 'tell');
  const pieces = [piece('a1', 'q1', 'hm', 'reasoning'), piece('a1', 'q1', 'Once '), piece('a1', 'q1', 'upon')];

  it('grows piece by piece', () => {
    expect(seen(asked, ...pieces.slice(0, 2))).toEqual(['user: tell', 'assistant: (hm) + Once ']);
    expect(seen(asked, ...pieces)).toEqual(['user: tell', 'assistant: (hm) + Once upon']);
  });

  it('a reply that was streamed when the editor closed is its pieces, and the conversation continues after them', () => {
    expect(seen(asked, ...pieces, said('q2', 'a1', 'go on'))).toEqual([
      'user: tell',
      'assistant: (hm) + Once upon',
      'user: go on',
    ]);
  });

  it('replaces its pieces once it is complete, and occurs once', () => {
    const session = conversation(asked, ...pieces, replied('a1', 'q1', 'Once upon a time'), piece('a1', 'q1', ' late'));
    expect(picture(session.conversation.entries)).toEqual(['user: tell', 'assistant: Once upon a time']);
    expect(session.issues).toEqual([]);
  });

  it('replaces its pieces even if it has another id', () => {
    const whole = { ...replied('hash-of-a1', 'q1', 'Once upon a time'), pieces: 'a1' };
    const session = conversation(asked, ...pieces, whole, said('q2', 'hash-of-a1', 'more'));
    expect(session.conversation.entries.map(({ id }) => id)).toEqual(['q1', 'hash-of-a1', 'q2']);
    expect(picture(session.conversation.agentContext)).toEqual([
      'user: tell',
      'assistant: Once upon a time',
      'user: more',
    ]);
    expect(session.issues).toEqual([]);
  });

  it('counts in its first form', () => {
    const session = conversation(asked, replied('a1', 'q1', 'first'), replied('a1', 'q1', 'again'));
    expect(picture(session.conversation.entries)).toEqual(['user: tell', 'assistant: first']);
    expect(messages(session)).toEqual(['4 The message a1 occurs a second time; the first one counts']);
  });

  it('does not move back when a reply is stored again after the next message', () => {
    const session = conversation(
      asked,
      replied('a1', 'q1', 'first'),
      said('q2', 'a1', 'more'),
      replied('a1', 'q1', 'first'),
    );
    expect(picture(session.conversation.agentContext)).toEqual(['user: tell', 'assistant: first', 'user: more']);
  });

  it('a reply that is stored while it streams leads back to its branch if it is stored a second time from another one', () => {
    const session = conversation(
      asked,
      replied('a1', 'q1', 'first'),
      said('q2', 'q1', 'more'),
      replied('a1', 'q1', 'first'),
    );
    expect(picture(session.conversation.agentContext)).toEqual(['user: tell', 'assistant: first']);
  });
});

describe('a conversation waits for a reply', () => {
  it.each([
    ['not while nothing was said', [system('s1', 'be kind')], false],
    ['after a message', [said('q1', null, 'hi')], true],
    ['after a call', [said('q1', null, 'hi'), replied('a1', 'q1', call('c1'))], true],
    ['not after a reply', [said('q1', null, 'hi'), replied('a1', 'q1', 'hello')], false],
    ['not after the turn was cancelled', [said('q1', null, 'hi'), ended('cancelled')], false],
    ['after a message that follows', [said('q1', null, 'hi'), ended('failed'), said('q2', 'q1', 'again')], true],
  ])('%s', (_when, records, expected) => {
    expect(conversation(...records).awaitsReply).toBe(expected);
  });
});

describe('a conversation that others wrote to', () => {
  it('a conversation that others wrote to of a newer Strata is shown, with an issue, and what is new in it is counted', () => {
    const session = build(strata, [{ ...header, version: 2 }, { type: 'branch-note' }, said('q1', null, 'hi')]);
    expect(messages(session)).toEqual([
      '1 This conversation was written by a newer Strata (format 2); parts may be missing',
    ]);
    expect(session.otherRecords).toEqual({ 'branch-note': 1 });
    expect(picture(session.conversation.entries)).toEqual(['user: hi']);
  });

  it('a conversation that others wrote to says so if parts of a message cannot be read, and shows the others', () => {
    const strange = {
      type: 'entry',
      parent: null,
      entry: { id: 'q1', role: 'user', parts: [{ type: 'text', text: 'hi' }, { type: 'video' }, call('c1')] },
    };
    const session = conversation(
      strange,
      { type: 'entry', parent: null, entry: { role: 'user' } },
      { type: 'piece', id: 'a1' },
    );
    expect(picture(session.conversation.entries)).toEqual(['user: hi']);
    expect(messages(session)).toEqual([
      '2 Parts of the message q1 could not be read and were left out',
      '3 This record is not a message and was left out',
      '4 This record is not a part of a reply and was left out',
    ]);
  });

  it('keeps its model and window as the newest record of them says', () => {
    const session = conversation(
      { type: 'model', model: 'gpt-5', contextWindow: 400_000 },
      { type: 'model', model: 'local', contextWindow: null },
    );
    expect(session.model).toBe('local');
    expect(session).not.toHaveProperty('contextWindow');
  });

  const names = [
    'type',
    'entry',
    'piece',
    'system',
    'leaf',
    'parent',
    'id',
    'role',
    'parts',
    'user',
    'assistant',
    'tool',
    'tool_call',
    'tool_result',
    'callId',
    'pieces',
    '__proto__',
    'constructor',
  ];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...names, null, true, 0, -1, 'a', 'b'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 6 }),
    ),
  })).any;
  const id = fc.constantFrom('a', 'b', 'c', null);
  const part = fc.record({
    type: fc.constantFrom('text', 'reasoning', 'tool_call', 'tool_result', 'image', 'tool_definitions', 'x'),
    callId: fc.constantFrom('c1', 'c2', null),
    text: fc.constantFrom('t', null),
  });
  const record = fc.record({
    type: fc.constantFrom('entry', 'piece', 'system', 'leaf', 'model', 'turn-ended'),
    parent: id,
    id,
    part,
    pieces: id,
    entry: fc.record({
      id,
      role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
      parts: fc.array(part, { maxLength: 3 }),
    }),
  });

  it('a conversation that others wrote to never fails, and never is a context that a provider would refuse', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ arbitrary: record, weight: 4 }, value), { maxLength: 10 }), (records) => {
        const session = build(strata, [header, ...records.map((one) => JSON.stringify(one) ?? '')]);
        expect(contextFaults(session.conversation.agentContext)).toEqual([]);
        const ids = session.conversation.entries.map((entry) => entry.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('any tree of messages', () => {
  /** For each message, its text and the earlier message that it follows, if any. */
  const tree = fc.array(fc.tuple(fc.nat(), fc.constantFrom('user', 'assistant'), fc.string()), {
    minLength: 1,
    maxLength: 25,
  });

  it('any tree of messages is read back as it was written, along the path to its newest message or to any leaf', () => {
    fc.assert(
      fc.property(tree, fc.nat(), (nodes, back) => {
        const parents = nodes.map(([choice], index) => (choice % (index + 1)) - 1);
        const records = nodes.map(([, role, text], index) => {
          const parent = parents[index] ?? -1;
          return (role === 'user' ? said : replied)(`e${index}`, parent < 0 ? null : `e${parent}`, text);
        });
        const pathTo = (index: number): string[] => (index < 0 ? [] : [...pathTo(parents[index] ?? -1), `e${index}`]);
        const idsOf = (session: ParsedSession) => session.conversation.agentContext.map((entry) => entry.id);
        const whole = conversation(...records);
        expect(idsOf(whole)).toEqual(pathTo(nodes.length - 1));
        expect(whole.conversation.entries.map(({ origin: _, ...entry }) => entry)).toEqual(
          records.map(({ entry }) => entry),
        );
        const target = back % nodes.length;
        expect(idsOf(conversation(...records, leaf(`e${target}`)))).toEqual(pathTo(target));
      }),
    );
  });
});
