import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownEntries } from '../../../extension/conversations/known-entries';
import {
  continuationOf,
  hasReply,
  type KnownConversation,
} from '../../../extension/conversations/requests/continuation';
import type { ReceivedMessage } from '../../../extension/middleware/recognition/received';
import { histories, received, replies, says } from '../../middleware/recognition/received';

function known(id: string, ...messages: ReceivedMessage[]): KnownConversation {
  const { entries } = received(...messages);
  const written = new KnownEntries().update({
    entries: entries.map((entry) => ({ ...entry, origin: { file: '', line: 0 } })),
    agentContext: [],
    agentCompactions: [],
  });
  return {
    ...{ id, created: `2026-01-0${id}`, path: entries, isAnswering: false },
    hasReply: hasReply(entries),
    prefixOf: (asked) => written.prefixOf(asked),
  };
}

function goesOnWith(messages: ReceivedMessage[], ...conversations: KnownConversation[]): string {
  const found = continuationOf(received(...messages).entries, conversations, true);
  return found.kind === 'new' ? 'new' : `${found.id} after ${found.known}`;
}

const hi = says('hi');

describe('a request', () => {
  it('a request continues the conversation that has all but its newest message', () =>
    fc.assert(
      fc.property(histories, (messages) => {
        const whole = known('1', ...messages);
        const found = continuationOf(received(...messages, says('and now?')).entries, [whole], false);
        expect(found).toEqual({ kind: 'continues', id: '1', known: whole.path.length });
      }),
      { numRuns: 40 },
    ));

  it('a request without a reply begins a conversation, even if one began with the same words', () => {
    expect(goesOnWith([hi])).toBe('new');
    expect(goesOnWith([hi], known('1', hi, replies('Hello.')))).toBe('new');
  });

  it('a request without a reply is a retry if the newest one has no reply yet', () => {
    expect(goesOnWith([hi], known('1', hi, replies('Hello.')), known('2', hi))).toBe('2 after 1');
    expect(goesOnWith([hi], known('1', hi), known('2', hi, replies('Hello.')))).toBe('new');
  });

  it('a request without a reply begins a conversation while the other one is being answered', () => {
    expect(goesOnWith([hi], { ...known('1', hi), isAnswering: true })).toBe('new');
  });

  it('a request continues the conversation with the longest known beginning, and the newest of equal ones', () => {
    const request = [hi, replies('Hello.'), says('go'), replies('Gone.'), says('back')];
    const short = known('3', hi, replies('Hello.'));
    const other = known('4', hi, replies('Good day.'));
    expect(goesOnWith(request, known('1', ...request.slice(0, 4)), short, other)).toBe('1 after 4');
    expect(goesOnWith(request, known('1', ...request.slice(0, 2)), short, other)).toBe('3 after 2');
    expect(goesOnWith(request, other)).toBe('4 after 1');
  });

  it('begins a conversation if it shares no more than its instructions with another', () => {
    const instructions = says('Follow AGENTS.md.');
    const other = known('1', instructions, hi, replies('Hello.'));
    expect(goesOnWith([instructions, says('go'), replies('Gone.'), says('back')], other)).toBe('new');
    expect(goesOnWith([instructions, hi, replies('Good day.'), says('back')], other)).toBe('1 after 2');
  });

  it('a request whose history was edited branches off where it was edited', () => {
    const before = known('1', hi, replies('Hello.'), says('go'), replies('Gone.'));
    expect(goesOnWith([hi, replies('Hello.'), says('stay'), replies('Stayed.'), says('go')], before)).toBe('1 after 2');
  });
});
