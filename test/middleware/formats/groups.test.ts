import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../extension/middleware/formats/anthropic';
import { openAiChat } from '../../../extension/middleware/formats/openai-chat';
import { openAiResponses } from '../../../extension/middleware/formats/openai-responses';
import * as s from '../../../extension/platform/json/schemas';
import { apiNames, apis, turns } from '../wire/bodies';

const formats = { chat: openAiChat, responses: openAiResponses, anthropic } as const;

const anyMessage: fc.Arbitrary<s.JsonRecord> = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'tool', 'developer', 7),
    type: fc.constantFrom('message', 'reasoning', 'function_call', 'function_call_output', 'odd', 'compaction'),
    call_id: fc.constantFrom('a', 'b'),
    content: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: [] },
);

describe('the groups of a list of messages', () => {
  it('the groups of a list of messages have every message once, in order', () =>
    fc.assert(
      fc.property(apiNames, turns, (name, history) => {
        const { list, body } = apis[name];
        const messages = s.jsonRecords(body(history)[list]);
        expect(formats[name].groupsOf(messages).flatMap((group) => group.messages)).toEqual(messages);
      }),
      { numRuns: 60 },
    ));

  it('have it too if the messages make no sense', () =>
    fc.assert(
      fc.property(apiNames, fc.array(anyMessage, { maxLength: 12 }), (name, messages) => {
        const groups = formats[name].groupsOf(messages);
        expect(groups.flatMap((group) => group.messages)).toEqual(messages);
        for (const group of groups) expect(group.messages.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    ));

  it('the groups of a list of messages are the same objects if nothing is altered, and empty if everything is', () =>
    fc.assert(
      fc.property(apiNames, turns, (name, history) => {
        const { list, body } = apis[name];
        for (const group of formats[name].groupsOf(s.jsonRecords(body(history)[list]))) {
          const [results, gone] = [new Map(), new Map()];
          for (const part of group.said.parts)
            if (part.type === 'tool_result') gone.set(part.callId, { kind: 'replaced' });
          expect(formats[name].altered(group, { results, keepsRest: true })).toEqual(group.messages);
          expect(formats[name].altered(group, { results: gone, keepsRest: false })).toEqual([]);
        }
      }),
      { numRuns: 40 },
    ));
});
