import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextAsAnthropic } from '../../extension/middleware/anthropic';
import { contextAsOpenAi } from '../../extension/middleware/openai';
import { contextAsText } from '../../extension/middleware/text';
import { conversations } from '../builders/arbitrary';
import { assistant, call, calls, result, system, talk, user } from '../builders/conversation';
import { compact, contextOf } from '../builders/run';

const small = contextOf(
  talk(
    system('Be brief.'),
    user('fix it'),
    call('a', 'read', { path: 'a.ts' }, 'I look.'),
    result('a', 'text', true),
    assistant('Done.'),
  ),
);

describe('a context as OpenAI’s Chat Completions take it', () => {
  it('has tool calls with their arguments as text, and results by id', () => {
    expect(contextAsOpenAi(small)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'fix it' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'text' },
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  it('has no empty message for tools without a system prompt', () => {
    const tools = { role: 'system', parts: [{ type: 'tool_definitions', names: ['read'], text: '[]' }] } as const;
    const context = contextOf(talk(tools, user('hi')));
    expect(contextAsOpenAi(context)).toEqual([{ role: 'user', content: 'hi' }]);
    expect(contextAsAnthropic(context).system).toBe('');
  });

  it('keeps every result directly behind its calls, compacted or not', () =>
    fc.assert(
      fc.asyncProperty(conversations, async (conversation) => {
        const { before, after } = await compact(conversation);
        for (const context of [before, after]) {
          let open: string[] = [];
          for (const message of contextAsOpenAi(context)) {
            if (message.role === 'tool') expect(open).toContain(message.tool_call_id);
            else open = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
          }
        }
      }),
      { numRuns: 60 },
    ));

  it('sends the pictures of results after the last of them', () => {
    const picture = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const first = result('a', 'one');
    const withPicture = { ...first, parts: [...first.parts, picture] };
    const messages = contextAsOpenAi(contextOf(talk(user('look'), calls('a', 'b'), withPicture, result('b', 'two'))));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    expect(messages.at(-1)?.content).toEqual([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]);
  });
});

describe('a context as Anthropic’s Messages take it', () => {
  it('has the system prompt apart and results as blocks of a user message', () => {
    expect(contextAsAnthropic(small)).toEqual({
      system: 'Be brief.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'fix it' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'text', is_error: true }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      ],
    });
  });

  it('alternates roles, compacted or not', () =>
    fc.assert(
      fc.asyncProperty(conversations, async (conversation) => {
        const { before, after } = await compact(conversation);
        for (const context of [before, after]) {
          const roles = contextAsAnthropic(context).messages.map(({ role }) => role);
          for (const [index, role] of roles.entries()) expect(role).not.toBe(roles[index + 1]);
        }
      }),
      { numRuns: 60 },
    ));
});

describe('a context as text', () => {
  it('has a heading for each message', () => {
    expect(contextAsText(small).match(/^── \w+ · \d+ tokens$/gm)).toHaveLength(small.messages.length);
  });
});
