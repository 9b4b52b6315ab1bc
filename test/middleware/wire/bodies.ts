import fc from 'fast-check';
import type * as s from '../../../extension/platform/json/schemas';

/** One conversation in the format of each API, and request bodies around it. */

export interface Step {
  readonly text: string;
  readonly outputs: readonly string[];
  /** The client adds a reminder to the results, or after them. */
  readonly reminder: boolean;
}

export interface Turn {
  readonly asked: string;
  readonly steps: readonly Step[];
  readonly answer: string;
}

/** A number that JavaScript cannot represent. It replaces a text that marks its place. */
const bigNumber = '12345678901234567890.50';
const bigNumberMark = 'a big number';

const words = fc.constantFrom(
  'Fix the loader.',
  'Why "drop" keys?\n\\u0041',
  'Nie umbenennen: überladen(). 🐌',
  '{"a":[',
  'ok',
);
const step = fc.record({
  text: fc.constantFrom('', 'I look.'),
  outputs: fc.array(words, { minLength: 1, maxLength: 3 }),
  reminder: fc.boolean(),
});
export const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({ asked: words, steps: fc.array(step, { maxLength: 3 }), answer: words }),
  { minLength: 1, maxLength: 5 },
);

export interface Api {
  readonly path: string;
  readonly list: 'messages' | 'input';
  readonly body: (turns: readonly Turn[]) => s.JsonRecord;
}

interface NamedCall {
  readonly id: string;
  readonly output: string;
}

function callsOf({ outputs }: Step, name: string): NamedCall[] {
  return outputs.map((output, index) => ({ id: `${name}-${index}`, output }));
}

function eachStep(
  all: readonly Turn[],
  said: (role: 'user' | 'assistant', text: string) => s.JsonRecord,
  write: (step: Step, calls: readonly NamedCall[]) => s.JsonRecord[],
): s.JsonRecord[] {
  return all.flatMap(({ asked, steps, answer }, at) => [
    said('user', `${asked} (${at})`),
    ...steps.flatMap((each, index) => write(each, callsOf(each, `t${at}-${index}`))),
    said('assistant', answer),
  ]);
}

const input = { path: 'a.ts', line: bigNumberMark };
const unknown = { x_trace: bigNumberMark };

const chat: Api = {
  path: '/v1/chat/completions',
  list: 'messages',
  body: (all) => ({
    model: 'm',
    seed: bigNumberMark,
    messages: [
      { role: 'system', content: 'Be brief.' },
      ...eachStep(
        all,
        (role, content) => ({ role, content, ...unknown }),
        (each, calls) => [
          {
            role: 'assistant',
            content: each.text === '' ? null : [{ type: 'text', text: each.text }],
            reasoning_content: 'Hm.',
            tool_calls: calls.map(({ id }) => ({
              id,
              type: 'function',
              function: { name: 'read', arguments: JSON.stringify(input) },
            })),
          },
          ...calls.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })),
          ...(each.reminder ? [{ role: 'user', content: [{ type: 'text', text: 'It is noon.' }] }] : []),
        ],
      ),
    ],
    tools: [{ type: 'function', function: { name: 'read', parameters: {} } }],
  }),
};

const responses: Api = {
  path: '/v1/responses',
  list: 'input',
  body: (all) => ({
    model: 'm',
    instructions: 'Be brief.',
    input: eachStep(
      all,
      (role, text) => ({
        type: 'message',
        role,
        content: [{ type: `${role === 'user' ? 'in' : 'out'}put_text`, text }],
      }),
      (each, calls) => [
        { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'Zm9v' },
        ...(each.text === '' ? [] : [{ role: 'assistant', content: each.text }]),
        { type: 'web_search_call', id: 'ws', action: { query: 'ini' }, ...unknown },
        ...calls.map(({ id }) => ({
          type: 'function_call',
          call_id: id,
          name: 'read',
          arguments: JSON.stringify(input),
        })),
        ...calls.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output })),
        ...(each.reminder ? [{ role: 'developer', content: 'It is noon.' }] : []),
      ],
    ),
    tools: [{ type: 'function', name: 'read', parameters: {} }, { type: 'web_search' }],
    stream: true,
  }),
};

const anthropic: Api = {
  path: '/v1/messages',
  list: 'messages',
  body: (all) => ({
    max_tokens: bigNumberMark,
    messages: eachStep(
      all,
      (role, text) => ({ role, content: role === 'user' ? text : [{ type: 'text', text }] }),
      (each, calls) => [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            ...(each.text === '' ? [] : [{ type: 'text', text: each.text }]),
            ...calls.map(({ id }) => ({ type: 'tool_use', id, name: 'read', input })),
          ],
        },
        {
          role: 'user',
          content: [
            ...calls.map(({ id, output }) => ({
              type: 'tool_result',
              tool_use_id: id,
              content: [{ type: 'text', text: output }],
            })),
            ...(each.reminder ? [{ type: 'text', text: 'It is noon.' }] : []),
          ],
        },
      ],
    ),
    system: [{ type: 'text', text: 'Be brief.' }],
    tools: [{ name: 'read', input_schema: {} }],
  }),
};

export const apis = { chat, responses, anthropic } as const;
export const apiNames = fc.constantFrom('chat', 'responses', 'anthropic');

/** Indentations that different clients may use in JSON. */
export const indents = fc.constantFrom('', ' ', '\t', '   ');

export function written(body: s.JsonRecord, indent = ''): string {
  return JSON.stringify(body, null, indent).replaceAll(`"${bigNumberMark}"`, bigNumber);
}

/** The same request as another client would write it: with the properties in reverse order, and with cache marks. */
export function writtenOtherwise(body: s.JsonRecord): string {
  return written(turned(body) as s.JsonRecord, '  ');
}

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const mark = 'type' in value && 'text' in value ? [['cache_control', { type: 'ephemeral' }]] : [];
  return Object.fromEntries(
    [...mark, ...Object.entries(value).map(([name, inner]) => [name, turned(inner)])].reverse(),
  );
}
