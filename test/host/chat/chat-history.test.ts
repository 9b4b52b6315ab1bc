import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { continuationOf, type PastTurn, trailOf } from '../../../extension/host/chat/chat-history';
import { assistant, call, result, talk, user } from '../../builders/conversation';

/** Tests of how a chat of VS Code is mapped to a place in its conversation. */

const conversation = talk(user('list the files'), call('a'), result('a'), assistant('two files'), user('and now?'));

function turn(prompt: string, leaf?: string | null, command?: string): PastTurn {
  const place = leaf === undefined ? null : { conversation: 'c1', leaf };
  return { prompt, command, references: [], answer: `answer to ${prompt}`, place };
}

function continuation(history: readonly PastTurn[], of: Conversation = conversation) {
  return continuationOf(of, trailOf(history));
}

describe('a chat continues', () => {
  it('a chat continues after the entry that its newest answer names', () => {
    expect(continuation([turn('list the files', 'e4')])).toEqual({ kind: 'found', leaf: 'e4' });
  });

  it('a chat without a history starts at the beginning', () => {
    expect(continuation([])).toEqual({ kind: 'found', leaf: null });
  });

  it('a chat continues after the same entry when a slash command was sent', () => {
    const history = [turn('list the files', 'e4'), turn('', 'e4', 'context')];
    expect(continuation(history)).toEqual({ kind: 'found', leaf: 'e4' });
  });

  it('a chat continues after a turn that was cancelled before it could name its place', () => {
    const history = [turn('list the files', 'e4'), turn('and now?')];
    expect(continuation(history)).toEqual({ kind: 'found', leaf: 'e5' });
  });

  it('a chat continues at an older entry when the person edits a message', () => {
    const longer = talk(user('one'), assistant('1'), user('two'), assistant('2'));
    expect(continuation([turn('one', 'e2')], longer)).toEqual({ kind: 'found', leaf: 'e2' });
  });

  it('on a branch that the conversation left meanwhile', () => {
    const { entries } = talk(user('one'), assistant('1'), user('two'), assistant('2'));
    const elsewhere = { entries, agentContext: entries.slice(0, 2), agentCompactions: [] };
    expect(continuation([turn('two', 'e4')], elsewhere)).toEqual({ kind: 'found', leaf: 'e4' });
  });
});

describe('a history that was edited by another program', () => {
  it('names the turns that the record lacks', () => {
    const unknown = turn('said elsewhere');
    expect(continuation([turn('list the files', 'e4'), unknown])).toEqual({
      kind: 'missing',
      leaf: 'e4',
      turns: [unknown],
    });
  });

  it('names them from the first that differs', () => {
    const history = [turn('list the files', 'e4'), turn('and now?'), turn('more')];
    expect(continuation(history)).toMatchObject({ kind: 'missing', leaf: 'e5', turns: [{ prompt: 'more' }] });
  });

  it('reports that the remembered entry of a chat is missing', () => {
    expect(continuation([turn('list the files', 'gone')])).toEqual({ kind: 'lost' });
  });

  it('takes slash commands for no messages', () => {
    expect(trailOf([turn('x', undefined, 'compact')])).toEqual({ place: null, since: [] });
  });
});
