import { describe, expect, it, vi } from 'vitest';
import { sentMessages } from '../../../extension/host/provider/lm-target';
import { receivedMessages } from '../../../extension/host/provider/received-messages';
import { remainderOf } from '../../../extension/middleware/recognition/authorship';
import { assistant, Call, Data, Result, system, Text, Thinking, user } from './fake-editor';

vi.mock('vscode', async () => (await import('./fake-editor')).editorApi);

const picture = new Data(new Uint8Array([1, 2, 3]), 'image/png');
const mark = new Data(new Uint8Array([4]), 'cache_control');

describe('a message of VS Code', () => {
  it('a message of VS Code is read part by part, and what a model does not read counts for nothing', () => {
    const json = new Data(new TextEncoder().encode('{"a":1}'), 'application/json');
    expect(
      receivedMessages([
        system('Be brief.'),
        user('Look: ', picture, mark, json, { strange: true }),
        assistant(new Thinking('Hm.'), 'I look.', new Call('a', 'read', { path: 'a.ts' })),
        user(new Result('a', [new Text('one'), new Text('two'), picture, mark, { value: { tree: 1 } }])),
      ]),
    ).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look: ' },
          { type: 'image', mediaType: 'image/png', data: 'AQID' },
          { type: 'text', text: '{"a":1}' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_call', callId: 'a', name: 'read', input: { path: 'a.ts' } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool_result',
            callId: 'a',
            name: null,
            text: 'one\ntwo\n{"tree":1}',
            isError: false,
            images: [{ type: 'image', mediaType: 'image/png', data: 'AQID' }],
          },
        ],
      },
    ]);
  });

  it('an unchanged message stays the same object, but a system prompt becomes a user message', () => {
    const messages = [system('Be brief.'), user('hi', mark)];
    const originals = [0, 1].map((index) => ({ kind: 'original', index }) as const);
    const sent = sentMessages(originals, messages);
    expect(sent[0]).toEqual(user('Be brief.'));
    expect(sent[1]).toBe(messages[1]);
  });

  it('keeps everything except the text of a pruned result', () => {
    const failed = Object.assign(new Result('a', [new Text('long'), picture]), { isError: true });
    const message = user(failed, new Result('b', [new Text('short')]), 'The time is noon.', mark);
    const results = new Map([['a', { kind: 'pruned', text: '[PRUNED]' } as const]]);
    const [sent] = sentMessages([{ kind: 'altered', index: 0, results, keepsRest: true }], [message]);
    const pruned = Object.assign(new Result('a', [new Text('[PRUNED]'), picture]), { isError: true });
    expect(sent).toEqual(user(pruned, new Result('b', [new Text('short')]), 'The time is noon.', mark));
    expect(sent?.content[0]).toBeInstanceOf(Result);
    expect(failed.content).toHaveLength(2);
  });

  it('keeps the standing instructions beside a prompt that a block replaced', () => {
    const rules = '<system-reminder>\nContents of CLAUDE.md:\n\nNever push.\n</system-reminder>';
    const message = user(rules, `${rules}\nFix it.`, 'Fix it.', picture);
    const remaining = remainderOf(new Set(['standing']), { isBeginning: true, isClients: false });
    const altered = { kind: 'altered', index: 0, results: new Map(), keepsRest: false, remaining } as const;
    expect(sentMessages([altered], [message])).toEqual([user(rules, rules)]);
  });

  it('drops the results that a block replaced, and the text beside them if the block replaced that too', () => {
    const message = user(new Result('a', [new Text('one')]), new Result('b', [new Text('two')]), 'The time is noon.');
    const results = new Map([['a', { kind: 'replaced' } as const]]);
    const altered = { kind: 'altered', index: 0, results } as const;
    const sent = [true, false].map((keepsRest) => sentMessages([{ ...altered, keepsRest }], [message])[0]);
    expect(sent).toEqual([
      user(new Result('b', [new Text('two')]), 'The time is noon.'),
      user(new Result('b', [new Text('two')])),
    ]);
  });
});
