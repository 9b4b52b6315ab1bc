import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldJournal } from '../../extension/engine/journal/journal-state';
import { contextAsAnthropic } from '../../extension/middleware/anthropic';
import { madeUp } from '../../extension/middleware/exchanges';
import { contextAsOpenAi } from '../../extension/middleware/openai';
import { contextTexts } from '../../extension/middleware/text';
import { conversations } from '../builders/arbitrary';
import { assistant, call, calls, result, type Said, standing, system, talk, user } from '../builders/conversation';
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
  it('a context as OpenAI’s Chat Completions take it has tool calls with their arguments as text, and results by id', () => {
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

  it('a context as OpenAI’s Chat Completions take it has no empty message for tools without a system prompt', () => {
    const tools = { role: 'system', parts: [{ type: 'tool_definitions', names: ['read'], text: '[]' }] } as const;
    const context = contextOf(talk(tools, user('hi')));
    expect(contextAsOpenAi(context)).toEqual([{ role: 'user', content: 'hi' }]);
    expect(contextAsAnthropic(context)).not.toHaveProperty('system');
  });

  it('keeps every result directly after its calls, compacted or not', () =>
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
  it('a context as Anthropic’s Messages take it has the system prompt apart and results as blocks of a user message', () => {
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

describe('what the session does not hold', () => {
  const anthropicOf = (...said: Said[]) => contextAsAnthropic(contextOf(talk(said))).messages;
  const openAiOf = (...said: Said[]) => contextAsOpenAi(contextOf(talk(said)));

  it('what the session does not hold is made up, and says so: the result of a call that is still open', () => {
    const said = [user('look'), calls('a', 'b'), result('b', 'text')];
    expect(anthropicOf(...said).at(-1)?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: madeUp.result, is_error: true },
      { type: 'tool_result', tool_use_id: 'b', content: 'text' },
    ]);
    expect(openAiOf(...said).slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: madeUp.result },
      { role: 'tool', tool_call_id: 'b', content: 'text' },
    ]);
  });

  it('what the session does not hold is made up, and says so: what the person said before the assistant', () => {
    expect(openAiOf(system('Be brief.'), assistant('Hello.')).map(({ content }) => content)).toEqual([
      'Be brief.',
      madeUp.beginning,
      'Hello.',
    ]);
    expect(anthropicOf()).toEqual([{ role: 'user', content: [{ type: 'text', text: madeUp.empty }] }]);
  });

  it('what the session does not hold is said as the user’s if a result has no call', () => {
    const [, stray] = openAiOf(user('look'), result('a', 'text'));
    expect(stray).toEqual({ role: 'user', content: '[Result of a call that the session does not hold]\ntext' });
  });
});

describe('what a session holds and no provider takes', () => {
  it('becomes an object if free text is the input of a call', () => {
    const patch = '*** Begin Patch';
    const messages = talk(user('fix'), call('a', 'apply_patch', patch), result('a', 'ok'));
    expect(contextAsAnthropic(contextOf(messages)).messages[1]?.content[0]).toMatchObject({ input: { input: patch } });
    expect(contextAsOpenAi(contextOf(messages))[1]).toMatchObject({
      tool_calls: [{ function: { arguments: JSON.stringify({ input: patch }) } }],
    });
  });

  it('gets an id of its own if two calls share one', () => {
    const said = [user('go'), calls('a'), result('a', 'one'), calls('a'), result('a', 'two'), assistant('Done.')];
    expect(contextAsOpenAi(contextOf(talk(said))).flatMap((one) => (one.role === 'tool' ? [one] : []))).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'a_2', content: 'two' },
    ]);
  });

  it('what a session holds and no provider takes is left out if it is empty, and a reply of nothing but thinking too', () => {
    const thought: Said = { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }] };
    const context = contextOf(talk(user('one'), thought, user(' '), user('two')));
    expect(contextAsOpenAi(context)).toEqual([
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
    ]);
    expect(contextAsAnthropic(context).messages).toHaveLength(1);
  });

  it('what a session holds and no provider takes has the type that its data has, if it is a picture', () => {
    const jpeg = { type: 'image', mediaType: 'image/png', data: '/9j/4AAQ' } as const;
    const context = contextOf(talk({ role: 'user', parts: [jpeg] }));
    expect(contextAsAnthropic(context).messages[0]?.content[0]).toMatchObject({ source: { media_type: 'image/jpeg' } });
  });
});

describe('standing instructions', () => {
  it('standing instructions have the user role, after system prompt and core', () => {
    const about = { rationale: null, timestamp: '', entryId: null, status: 'active' } as const;
    const item = { ...about, id: 'p0', kind: 'constraint', text: 'Never push.' } as const;
    const state = foldJournal([{ kind: 'pin', seq: 0, time: '', item }]);
    const context = contextOf(talk(standing('A rule.'), user('go')), state);
    const { system: prompt, messages } = contextAsAnthropic(context);
    expect(prompt).toContain('Never push.');
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'A rule.' },
          { type: 'text', text: 'go' },
        ],
      },
    ]);
  });
});

describe('a context as text', () => {
  it('a context as text has a heading for each message', () => {
    expect(
      contextTexts(small)
        .join('\n')
        .match(/^── \w+ · \d+ tokens$/gm),
    ).toHaveLength(small.messages.length);
  });
});

describe('half a surrogate pair in a session', () => {
  const half = 'half \ud83d';
  const context = contextOf(
    talk(
      system(half),
      user(half),
      call('a', 'read', { [half]: { deep: [half] } }, half),
      result('a', half, true),
      assistant(half),
    ),
  );
  /** A surrogate, as JSON escapes it. */
  const escaped = /\\u[dD][89a-fA-F]/;

  it('is in no message for a provider, its calls included', () => {
    expect(JSON.stringify(context.messages)).toMatch(escaped);
    expect(JSON.stringify(contextAsOpenAi(context))).not.toMatch(escaped);
    expect(JSON.stringify(contextAsAnthropic(context))).not.toMatch(escaped);
    expect(JSON.stringify(contextAsOpenAi(context)).split('half \ufffd')).toHaveLength(8);
  });
});
