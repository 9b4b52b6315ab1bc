import { describe, expect, it } from 'vitest';
import { openAiResponses } from '../../../extension/middleware/formats/openai-responses';
import { nextLink } from '../../../extension/middleware/recognition/chain';
import { openAiResponsesProtocol } from '../../../extension/middleware/wire/openai-responses';
import type * as s from '../../../extension/platform/json/schemas';
import { altered, made, pruned, replaced, saidIn } from './altered';

const user = (text: string): s.JsonRecord => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const developer = (text: string): s.JsonRecord => ({ role: 'developer', content: text });
const reasoning: s.JsonRecord = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'Zm9v',
};
const says = (text: string): s.JsonRecord => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const calls = (id: string): s.JsonRecord => ({
  type: 'function_call',
  call_id: id,
  name: 'shell',
  arguments: '{"command":["ls"]}',
});
const returns = (id: string): s.JsonRecord => ({ type: 'function_call_output', call_id: id, output: 'a.ts' });
const compaction: s.JsonRecord = { type: 'compaction', encrypted_content: 'Zm9v' };

function sizes(...items: s.JsonRecord[]): number[] {
  const groups = openAiResponses.groupsOf(items);
  expect(groups.flatMap(({ messages }) => messages)).toEqual(items);
  return groups.map(({ messages }) => messages.length);
}

describe('the items of Codex', () => {
  const items = [
    developer('Sandbox.'),
    user('<environment_context>'),
    user('look'),
    reasoning,
    says('I look.'),
    calls('a'),
    calls('b'),
    returns('a'),
    returns('b'),
    reasoning,
    { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin Patch' },
    { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'Success' }] },
    says('Done.'),
  ];

  it('the items of Codex are a group for each reply, with its reasoning, and one for each other item', () => {
    expect(sizes(...items)).toEqual([1, 1, 1, 4, 1, 1, 2, 1, 1]);
  });

  it('the items of Codex say what was said', () => {
    const result = { type: 'tool_result', name: 'shell', text: 'a.ts', isError: false, images: [] };
    const call = { type: 'tool_call', name: 'shell', input: { command: ['ls'] } };
    expect(saidIn(openAiResponses, ...items).slice(2)).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'look' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'I look.' },
          { ...call, callId: 'a' },
          { ...call, callId: 'b' },
        ],
      },
      { role: 'user', parts: [{ ...result, callId: 'a' }] },
      { role: 'user', parts: [{ ...result, callId: 'b' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool_call', callId: 'c', name: 'apply_patch', input: '*** Begin Patch' },
        ],
      },
      { role: 'user', parts: [{ ...result, callId: 'c', name: 'apply_patch', text: 'Success' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
    ]);
  });
});

describe('an item that Strata does not know', () => {
  const odd = { type: 'odd', id: 'x' };

  it('an item that Strata does not know is part of a reply that continues after it, and otherwise a group without content', () => {
    expect(sizes(user('go'), reasoning, odd, says('Done.'), odd, odd)).toEqual([1, 3, 1, 1]);
    expect(sizes(odd, user('go'), odd, reasoning, calls('a'), odd, returns('a'))).toEqual([1, 1, 1, 2, 1, 1]);
    expect(saidIn(openAiResponses, odd, user('go'))[0]).toEqual({ role: 'system', parts: [] });
  });
});

describe('a summary that the provider made', () => {
  it('a summary that the provider made is a group that no block may replace', () => {
    const groups = openAiResponses.groupsOf([user('go'), compaction, user('on')]);
    expect(groups.map(({ messages }) => messages)).toEqual([[user('go')], [compaction], [user('on')]]);
    expect(groups[1]?.said.role).toBe('system');
    expect(groups[1]?.said.parts).toHaveLength(1);
  });

  it('stays in the reply that it was made in', () => {
    expect(sizes(user('go'), reasoning, compaction, says('Done.'))).toEqual([1, 3]);
  });
});

describe('a tool of the provider’s own', () => {
  it('a tool of the provider’s own is part of the reply, and makes it no other one', () => {
    const search = { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'ini' } };
    const found = { type: 'tool_search_output', call_id: null, tools: [] };
    expect(sizes(user('go'), search, found, says('Done.'))).toEqual([1, 3]);
    const [one, other] = [[search, says('Done.')], [says('Done.')]].map(
      (items) => saidIn(openAiResponses, ...items)[0],
    );
    expect(one && nextLink('', one)).toBe(other && nextLink('', other));
  });
});

describe('calls and results of other kinds', () => {
  it.each([
    ['local_shell', { type: 'local_shell_call', call_id: 'a', action: { command: ['ls'] } }, { command: ['ls'] }],
    ['shell', { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } }, { commands: ['ls'] }],
    [
      'apply_patch',
      { type: 'apply_patch_call', call_id: 'a', operation: { type: 'delete_file' } },
      { type: 'delete_file' },
    ],
    ['tool_search', { type: 'tool_search_call', call_id: 'a', arguments: { query: 'x' } }, { query: 'x' }],
    ['computer', { type: 'computer_call', call_id: 'a', action: { type: 'click' } }, { type: 'click' }],
  ])('calls and results of other kinds are joined by their id: %s', (name, call, input) => {
    const type = name === 'tool_search' ? 'tool_search_output' : `${name}_call_output`;
    const said = saidIn(openAiResponses, call, { type, call_id: 'a', output: 'text' });
    expect(said[0]?.parts).toEqual([{ type: 'tool_call', callId: 'a', name, input }]);
    expect(said[1]?.parts).toEqual([
      { type: 'tool_result', callId: 'a', name, text: 'text', isError: false, images: [] },
    ]);
  });

  it('may show a screen', () => {
    const output = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' };
    const item = { type: 'computer_call_output', call_id: 'a', output };
    const images = [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }];
    expect(saidIn(openAiResponses, item)[0]?.parts).toMatchObject([{ text: '', images }]);
    expect(altered(openAiResponses, [item], { a: pruned })).toEqual([item]);
  });
});

describe('an answer that comes back in the next request', () => {
  it('an answer that comes back in the next request is the same link as when it was heard', () => {
    const output = [
      reasoning,
      says('I look.'),
      { type: 'function_call', call_id: 'a', name: 'shell', arguments: '' },
      { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '{"a":1}' },
      { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } },
    ];
    const reader = openAiResponsesProtocol.answerReader('application/json');
    const heard = [
      ...(reader?.read(JSON.stringify({ status: 'completed', output })) ?? []),
      ...(reader?.end().pieces ?? []),
    ].flatMap((piece) => (piece.type === 'usage' ? [] : [piece]));
    const [said] = saidIn(openAiResponses, ...output);
    expect(said && nextLink('', said)).toBe(nextLink('', { role: 'assistant', parts: heard }));
  });
});

describe('an altered item', () => {
  it('an altered item is removed with its result, or contains the replacement text', () => {
    expect(altered(openAiResponses, [returns('a')], { a: replaced })).toEqual([]);
    expect(altered(openAiResponses, [returns('a')], { a: pruned })).toEqual([{ ...returns('a'), output: '[PRUNED]' }]);
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const output = [{ type: 'input_text', text: 'long' }, image];
    expect(altered(openAiResponses, [{ ...returns('a'), output }], { a: pruned })).toEqual([
      { ...returns('a'), output: [{ type: 'input_text', text: '[PRUNED]' }, image] },
    ]);
  });

  it('goes with the whole of its reply', () => {
    expect(altered(openAiResponses, [reasoning, says('I look.'), calls('a')], {}, false)).toEqual([]);
  });
});

describe('a made item', () => {
  it('speaks as the block does, and the core as a developer', () => {
    const item = (role: string, type: string) => ({ type: 'message', role, content: [{ type, text: 'So far.' }] });
    expect(openAiResponses.made(made('user', 'So far.'))).toEqual([item('user', 'input_text')]);
    expect(openAiResponses.made(made('assistant', 'So far.'))).toEqual([item('assistant', 'output_text')]);
    expect(openAiResponses.made(made('system', 'So far.'))).toEqual([item('developer', 'input_text')]);
  });
});
