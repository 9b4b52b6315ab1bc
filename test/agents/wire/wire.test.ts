import { describe, expect, it } from 'vitest';
import { readChat } from './chat';
import { saidIn } from './context';
import { readGemini } from './gemini';
import { readMessages } from './messages';
import { apiOf } from './read';
import { readResponses } from './responses';
import { pictureOf } from './utterance';

const conversation = [
  'user: look\nand tell',
  'assistant: Step 1.',
  'call 1: look {"at":"a"}',
  'call 2: read {"path":"b"}',
  'result 2: B',
  'result 1: A',
  'assistant: done',
];

describe('one conversation, in the words of each API', () => {
  it('reads Chat Completions', () => {
    const call = (id: string, name: string, input: string) => ({
      id,
      type: 'function',
      function: { name, arguments: input },
    });
    const request = readChat({
      messages: [
        { role: 'system', content: 'You help.' },
        { role: 'user', content: 'look' },
        { role: 'user', content: [{ type: 'text', text: 'and tell' }] },
        {
          role: 'assistant',
          content: 'Step 1.',
          tool_calls: [call('x', 'look', '{ "at": "a" }'), call('y', 'read', '{"path":"b"}')],
        },
        { role: 'tool', tool_call_id: 'y', content: 'B' },
        { role: 'tool', tool_call_id: 'x', content: [{ type: 'text', text: 'A' }] },
        { role: 'assistant', content: 'done' },
      ],
      tools: [{ type: 'function', function: { name: 'look' } }],
    });
    expect(pictureOf(request.said)).toEqual(conversation);
    expect(request).toMatchObject({ system: 'You help.', tools: ['look'] });
  });

  it('reads Responses, where reasoning is not an utterance', () => {
    const request = readResponses({
      instructions: 'You help.',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'look' }] },
        { role: 'user', content: 'and tell' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Step 1.' }] },
        { type: 'function_call', call_id: 'x', name: 'look', arguments: '{"at":"a"}' },
        { type: 'function_call', call_id: 'y', name: 'read', arguments: '{"path":"b"}' },
        { type: 'function_call_output', call_id: 'y', output: 'B' },
        { type: 'function_call_output', call_id: 'x', output: [{ type: 'input_text', text: 'A' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
      ],
    });
    expect(pictureOf(request.said)).toEqual(conversation);
    expect(request.system).toBe('You help.');
  });

  it('reads Anthropic Messages, where results are the user message', () => {
    const request = readMessages({
      system: [{ type: 'text', text: 'You help.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look\n\n' },
            { type: 'text', text: 'and tell' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'Step 1.' },
            { type: 'tool_use', id: 'x', name: 'look', input: { at: 'a' } },
            { type: 'tool_use', id: 'y', name: 'read', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'y', content: 'B' },
            { type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'A' }] },
          ],
        },
        { role: 'assistant', content: 'done' },
      ],
    });
    expect(pictureOf(request.said)).toEqual(conversation);
  });

  it('reads Gemini, and pairs results without ids by the names of their calls', () => {
    const request = readGemini({
      contents: [
        { role: 'user', parts: [{ text: 'look' }, { text: 'and tell' }] },
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true },
            { text: 'Step 1.' },
            { functionCall: { name: 'look', args: { at: 'a' } } },
            { functionCall: { name: 'read', args: { path: 'b' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'read', response: { output: 'B' } } },
            { functionResponse: { name: 'look', response: { output: 'A' } } },
          ],
        },
        { role: 'model', parts: [{ text: 'done' }] },
      ],
    });
    expect(pictureOf(request.said)).toEqual(conversation);
  });

  it('reads a context of Strata, without the prompt that it begins with', () => {
    const said = saidIn([
      { role: 'system', parts: [{ type: 'text', text: 'You help.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'look' }] },
      { role: 'user', parts: [{ type: 'text', text: 'and tell' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'Step 1.' },
          { type: 'tool_call', callId: 'x', name: 'look', input: { at: 'a' } },
          { type: 'tool_call', callId: 'y', name: 'read', input: { path: 'b' } },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_result', callId: 'y', name: 'read', text: 'B', isError: false }] },
      { role: 'tool', parts: [{ type: 'tool_result', callId: 'x', name: 'look', text: 'A', isError: false }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'done' }] },
    ]);
    expect(pictureOf(said)).toEqual(conversation);
  });

  it('reports a result whose call is missing', () => {
    expect(pictureOf([{ kind: 'result', callId: 'x', text: 'A' }])).toEqual(['result without a call: A']);
  });

  it('knows each API by the path of a request', () => {
    const paths = [
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/messages?beta=true',
      '/v1beta/models/m:streamGenerateContent?alt=sse',
    ];
    expect(paths.map(apiOf)).toEqual(['chat', 'responses', 'messages', 'gemini']);
    expect(apiOf('/v1/messages/count_tokens')).toBeNull();
  });
});
