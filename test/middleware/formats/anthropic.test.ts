import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../extension/middleware/formats/anthropic';
import { nextLink } from '../../../extension/middleware/recognition/chain';
import type * as s from '../../../extension/platform/json/schemas';
import { idsOf } from '../recognition/received';
import { altered, made, pruned, replaced, saidIn } from './altered';

const text = (said: string) => ({ type: 'text', text: said });
const mark = { cache_control: { type: 'ephemeral' } };
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const result = (id: string, content: unknown = `text of ${id}`) => ({ type: 'tool_result', tool_use_id: id, content });

describe('a message of Anthropic’s', () => {
  it('says who speaks, what, with which calls and results', () => {
    const said = saidIn(
      anthropic,
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'Zm9v' },
          text('I look.'),
          { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } },
          { type: 'tool_use', id: 'b', name: 'shot', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { ...result('a'), is_error: true },
          { ...result('b', [text('one'), { ...text('two'), ...mark }, picture]), ...mark },
          text('It is noon.'),
        ],
      },
    );
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
    expect(said).toEqual([
      { role: 'user', parts: [text('look')] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          text('I look.'),
          { type: 'tool_call', callId: 'a', name: 'read', input: { path: 'a.ts' } },
          { type: 'tool_call', callId: 'b', name: 'shot', input: {} },
        ],
        thinking: 'first',
      },
      {
        role: 'user',
        parts: [
          { type: 'tool_result', callId: 'a', name: 'read', text: 'text of a', isError: true, images: [] },
          { type: 'tool_result', callId: 'b', name: 'shot', text: 'one\ntwo', isError: false, images: [image] },
          text('It is noon.'),
        ],
      },
    ]);
  });

  it('may be a system prompt among the others', () => {
    expect(saidIn(anthropic, { role: 'system', content: 'Be brief.' })).toEqual([
      { role: 'system', parts: [text('Be brief.')] },
    ]);
  });

  it('a message of Anthropic stays the same message with a tool that the provider ran, and with cache marks', () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'ini' } };
    const found = {
      type: 'web_search_tool_result',
      tool_use_id: 's',
      content: [{ type: 'web_search_result', ...mark }],
    };
    const replies: s.JsonRecord[][] = [[text('Done.')], [search, found, { ...text('Done.'), ...mark }]];
    const links = replies.map((content) => saidIn(anthropic, { role: 'assistant', content })[0]);
    expect(new Set(links.map((said) => said && nextLink('', said))).size).toBe(1);
    expect(links[1]?.parts.some(({ type }) => type === 'tool_result')).toBe(false);
    const documents = [
      { type: 'search_result', source: 'a', content: [text('x')] },
      { content: [{ ...mark, ...text('x') }], ...mark, source: 'a', type: 'search_result' },
    ];
    const ids = documents.map((block) => idsOf(saidIn(anthropic, { role: 'user', content: [block] }))[0]);
    expect(ids[1]).toBe(ids[0]);
  });

  it('a message of Anthropic’s is another one with another picture or document', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf' };
    const documents = [
      { ...pdf, data: 'AAAA' },
      { ...pdf, data: 'AAAB' },
      { type: 'text', media_type: 'text/plain', data: 'one' },
      { type: 'url', url: 'https://example.org/a.pdf' },
      { type: 'file', file_id: 'file_a' },
      { type: 'content', content: [text('two'), picture] },
      { type: 'content', content: [text('two')] },
    ].map((source) => ({ type: 'document', source }));
    const pictures = [
      { type: 'base64', media_type: 'image/png', data: 'AAAA' },
      { type: 'base64', media_type: 'image/png', data: 'AAAB' },
      { type: 'url', url: 'https://example.org/a.png' },
      { type: 'file', file_id: 'file_a' },
    ].map((source) => ({ type: 'image', source }));
    const blocks = [...documents, ...pictures];
    const ids = blocks.map((block) => idsOf(saidIn(anthropic, { role: 'user', content: [block] }))[0]);
    expect(new Set(ids).size).toBe(blocks.length);
  });
});

describe('an altered message of Anthropic’s', () => {
  const content = [
    { ...result('a'), ...mark },
    result('b', [{ ...text('long'), ...mark }, picture]),
    text('It is noon.'),
  ];
  const message = { role: 'user', content, x: 1 };

  it('loses only the results that are named', () => {
    const after = altered(anthropic, [message], { a: replaced });
    expect(after).toEqual([{ ...message, content: content.slice(1) }]);
    expect(after[0]?.content).toContain(content[2]);
  });

  it('loses the rest, and keeps the results', () => {
    expect(altered(anthropic, [message], {}, false)).toEqual([{ ...message, content: content.slice(0, 2) }]);
  });

  it('an altered message of Anthropic’s has another text in a pruned result, with its pictures and marks for the cache', () => {
    expect(altered(anthropic, [message], { a: pruned, b: pruned })).toEqual([
      {
        ...message,
        content: [
          { ...result('a', '[PRUNED]'), ...mark },
          result('b', [{ ...text('[PRUNED]'), ...mark }, picture]),
          text('It is noon.'),
        ],
      },
    ]);
  });

  it('an altered message of Anthropic’s is dropped if it would have no block', () => {
    expect(altered(anthropic, [message], { a: replaced, b: replaced }, false)).toEqual([]);
    expect(altered(anthropic, [{ role: 'assistant', content: 'Done.' }], {}, false)).toEqual([]);
  });
});

describe('a made message of Anthropic’s', () => {
  it('speaks as the user if the API knows no other role', () => {
    const speaks = (role: string) => [{ role, content: [text('So far.')] }];
    expect(anthropic.made(made('assistant', 'So far.'))).toEqual(speaks('assistant'));
    expect(anthropic.made(made('user', 'So far.'))).toEqual(speaks('user'));
    expect(anthropic.made(made('system', 'So far.'))).toEqual(speaks('user'));
  });
});
