import { describe, expect, it } from 'vitest';
import { openAiChat } from '../../../extension/middleware/formats/openai-chat';
import { idsOf } from '../recognition/received';
import { altered, made, pruned, replaced, saidIn } from './altered';

const call = (id: string, name: string, text: string) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
const text = (said: string) => ({ type: 'text', text: said });

describe('a message of Chat Completions', () => {
  it('says who speaks, what, and with which calls', () => {
    const said = saidIn(
      openAiChat,
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [text('look '), text('here')] },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [
          call('a', 'read', '{"path":"a.ts"}'),
          { id: 'b', type: 'custom', custom: { name: 'patch', input: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'text of a' },
      { role: 'tool', tool_call_id: 'b', content: [text('one'), text('two')] },
      { role: 'assistant', content: 'Done.', refusal: null },
    );
    expect(said).toEqual([
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', parts: [text('look '), text('here')] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool_call', callId: 'a', name: 'read', input: { path: 'a.ts' } },
          { type: 'tool_call', callId: 'b', name: 'patch', input: '{}' },
        ],
      },
      {
        role: 'user',
        parts: [{ type: 'tool_result', callId: 'a', name: 'read', text: 'text of a', isError: false, images: [] }],
      },
      {
        role: 'user',
        parts: [{ type: 'tool_result', callId: 'b', name: 'patch', text: 'one\ntwo', isError: false, images: [] }],
      },
      { role: 'assistant', parts: [text('Done.')] },
    ]);
  });

  it('a message of Chat Completions of an older client pairs a result with the call before it', () => {
    const step = [
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '' } },
      { role: 'function', name: 'read', content: 'text' },
    ];
    const parts = saidIn(openAiChat, ...step, ...step).flatMap((one) => [...one.parts]);
    expect(parts.map((part) => ('callId' in part ? [part.type, part.callId, part.name] : part))).toEqual([
      ['tool_call', 'function_call_1', 'read'],
      ['tool_result', 'function_call_1', 'read'],
      ['tool_call', 'function_call_2', 'read'],
      ['tool_result', 'function_call_2', 'read'],
    ]);
  });

  it('keeps arguments that are not JSON unchanged', () => {
    const [said] = saidIn(openAiChat, { role: 'assistant', tool_calls: [call('a', 'read', '{"path"')] });
    expect(said?.parts).toEqual([{ type: 'tool_call', callId: 'a', name: 'read', input: '{"path"' }]);
  });

  it('a message of Chat Completions is another message with another picture, sound, file or kind of content', () => {
    const contents = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAB' } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      { type: 'image_url', image_url: { url: 'https://example.org/b.png' } },
      { type: 'input_audio', input_audio: { format: 'wav', data: 'AAAA' } },
      { type: 'input_audio', input_audio: { format: 'wav', data: 'AAAB' } },
      { type: 'file', file: { file_id: 'file-a' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'AAAA' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'AAAB' } },
      { type: 'video_url', video_url: { url: `data:video/mp4;base64,${'A'.repeat(30_000)}` } },
      { type: 'video_url', video_url: { url: `data:video/mp4;base64,${'B'.repeat(30_000)}` } },
    ];
    const ids = contents.map((block) => idsOf(saidIn(openAiChat, { role: 'user', content: [block] }))[0]);
    expect(new Set(ids).size).toBe(contents.length);
    const texts = contents.flatMap((block) => saidIn(openAiChat, { role: 'user', content: [block] })[0]?.parts ?? []);
    expect(texts[0]).toEqual({ type: 'image', mediaType: 'image/png', data: 'AAAA' });
    for (const part of texts) expect('text' in part ? part.text.length : 0).toBeLessThan(200);
  });
});

describe('an altered message of Chat Completions', () => {
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const mark = { type: 'ephemeral' };
  const result = { role: 'tool', tool_call_id: 'a', name: 'read', content: 'long', x: 1 };

  it('an altered message of Chat Completions is removed with its result, or contains the replacement text', () => {
    expect(altered(openAiChat, [result], { a: replaced })).toEqual([]);
    expect(altered(openAiChat, [result], { a: pruned })).toEqual([{ ...result, content: '[PRUNED]' }]);
    expect(altered(openAiChat, [result], { b: replaced })).toEqual([result]);
  });

  it('keeps pictures and marks for the cache', () => {
    const content = [text('long'), { ...text('longer'), cache_control: mark }, picture];
    expect(altered(openAiChat, [{ ...result, content }], { a: pruned })).toEqual([
      { ...result, content: [{ ...text('[PRUNED]'), cache_control: mark }, picture] },
    ]);
  });

  it('an altered message of Chat Completions is dropped if nothing of it stays', () => {
    const reply = { role: 'assistant', content: 'Done.' };
    expect(altered(openAiChat, [reply], {}, false)).toEqual([]);
    expect(altered(openAiChat, [reply], {})[0]).toBe(reply);
  });
});

describe('a made message of Chat Completions', () => {
  it('speaks as the block does', () => {
    for (const role of ['user', 'assistant', 'system'] as const) {
      expect(openAiChat.made(made(role, 'So far.'))).toEqual([{ role, content: 'So far.' }]);
    }
  });
});
