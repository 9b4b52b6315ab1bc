import { describe, expect, it } from 'vitest';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import type { Outgoing } from '../../../extension/middleware/recognition/outgoing';
import type { ReceivedMessage } from '../../../extension/middleware/recognition/received';
import {
  asUserBeforeReply,
  bindsThinking,
  withBoundThinking,
} from '../../../extension/middleware/recognition/thinking';
import { received, replies, returns, says } from './received';

function thinks(text: string, ...calls: string[]): ReceivedMessage {
  return { ...replies(text, ...calls), thinking: 'first' };
}

const messages = [
  says('Fix it.'),
  thinks('I look.', 'a'),
  returns(['a', 'x']),
  thinks('And there.', 'b'),
  returns(['b', 'y']),
  thinks('Done.'),
];

function kept(...indexes: number[]): Outgoing[] {
  return indexes.map((index) => ({ kind: 'original', index }));
}

function made(role: ContextMessage['role'], text: string): Outgoing {
  const message = { key: text, role, parts: [{ type: 'text', text }], kind: 'summary', entryIds: [], tokens: 1 };
  return { kind: 'made', message: message as unknown as ContextMessage };
}

/**
 * An agent with a model that binds its thinking to its prefix. It records what it received, and the replies with the
 * prefix of each.
 */
class Run {
  readonly #prefixes = new Map<string, string>();

  /** The agent sends its messages up to this one, and the model replies. */
  sends(length: number, outgoing: Outgoing[]): string {
    const conversation = received(...messages.slice(0, length));
    const sent = withBoundThinking(outgoing, conversation, (reply) => this.#prefixes.get(reply));
    const reply = received(...messages.slice(0, length + 1)).entries.at(-1)?.id ?? '';
    this.#prefixes.set(reply, sent.prefix);
    return sent.outgoing.map((one) => (one.kind === 'made' ? one.message.key : shown(one))).join(' ');
  }
}

function shown(one: Exclude<Outgoing, { kind: 'made' }>): string {
  return one.kind === 'without-thinking' ? `${one.index}-` : `${one.index}`;
}

describe('thinking that a model binds to everything before it', () => {
  it('stays where nothing was changed', () => {
    const run = new Run();
    expect(run.sends(1, kept(0))).toBe('0');
    expect(run.sends(3, kept(0, 1, 2))).toBe('0 1 2');
    expect(run.sends(5, kept(0, 1, 2, 3, 4))).toBe('0 1 2 3 4');
  });

  it('stays with a core that was in every request', () => {
    const run = new Run();
    const core = made('system', 'Never push.');
    expect(run.sends(1, [core, ...kept(0)])).toBe('Never push. 0');
    expect(run.sends(3, [core, ...kept(0, 1, 2)])).toBe('Never push. 0 1 2');
    expect(run.sends(5, [core, ...kept(0, 1, 2, 3, 4)])).toBe('Never push. 0 1 2 3 4');
  });

  it('goes when a core comes, and what was thought with it stays', () => {
    const run = new Run();
    const core = made('system', 'Never push.');
    run.sends(1, kept(0));
    expect(run.sends(3, [core, ...kept(0, 1, 2)])).toBe('Never push. 0 1- 2');
    expect(run.sends(5, [core, ...kept(0, 1, 2, 3, 4)])).toBe('Never push. 0 1- 2 3 4');
  });

  it('goes after a block, comes back with its undo, and what was thought after the block goes then', () => {
    const run = new Run();
    const block = made('user', 'So far.');
    run.sends(1, kept(0));
    run.sends(3, kept(0, 1, 2));
    expect(run.sends(5, [...kept(0), block, ...kept(3, 4)])).toBe('0 So far. 3- 4');
    expect(run.sends(6, [...kept(0), block, ...kept(3, 4, 5)])).toBe('0 So far. 3- 4 5');
    expect(run.sends(6, kept(0, 1, 2, 3, 4, 5))).toBe('0 1 2 3 4 5-');
  });

  it('goes after a result that was cleared later', () => {
    const run = new Run();
    run.sends(1, kept(0));
    run.sends(3, kept(0, 1, 2));
    const results = new Map([['a', { kind: 'pruned', text: '[CLEARED]' } as const]]);
    const cleared: Outgoing = { kind: 'altered', index: 2, results, keepsRest: true };
    expect(run.sends(5, [...kept(0, 1), cleared, ...kept(3, 4)])).toBe('0 1 2 3- 4');
  });

  it('is bound by Claude models from version 5.1 on', () => {
    const binding = ['claude-fable-5-1', 'claude-opus-5-5-20261001', 'anthropic/claude-haiku-5.5', 'claude-fable-6'];
    const free = ['claude-opus-5-20260901', 'claude-sonnet-4-5', 'claude-3-7-sonnet-20250219', 'gpt-5', ''];
    expect(binding.filter(bindsThinking)).toEqual(binding);
    expect(free.filter(bindsThinking)).toEqual([]);
  });
});

describe('a block directly before a reply', () => {
  const block = made('assistant', 'So far.');
  const rolesIn = (outgoing: Outgoing[], said: readonly ReceivedMessage[], model: string) =>
    asUserBeforeReply(outgoing, received(...said), model).flatMap((one) =>
      one.kind === 'made' ? [one.message.role] : [],
    );

  it('speaks as a user before thinking', () => {
    const roles = (outgoing: Outgoing[]) => rolesIn(outgoing, messages, 'claude-opus-4-6');
    expect(roles([...kept(0), block, made('system', 'Core'), ...kept(3)])).toEqual(['user', 'system']);
    expect(roles([block, ...kept(0, 1)])).toEqual(['assistant']);
  });

  it('speaks as a user before any reply to Gemini', () => {
    const said = [says('Fix it.'), replies('I look.', 'a'), returns(['a', 'It is here.'])];
    expect(rolesIn([...kept(0), block, ...kept(1, 2)], said, 'gemini-3.8-flash')).toEqual(['user']);
    expect(rolesIn([...kept(0), block, ...kept(1, 2)], said, 'gpt-5.5')).toEqual(['assistant']);
    expect(rolesIn([block, ...kept(0, 1, 2)], said, 'gemini-3.8-flash')).toEqual(['assistant']);
  });
});
