import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolCalls } from '../../../extension/engine/conversation/entry';
import { shownInput, tooDeepIssues } from '../../../extension/sessions/records/tool-input';
import { readWrittenEntry } from '../../../extension/sessions/strata/written-entry';

/** Lists and objects nested alternately. */
function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [1, value] : { here: value };
  return value;
}

describe('the input of a tool call', () => {
  it('the input of a tool call is shown as it is, whatever it is', () => {
    fc.assert(fc.property(fc.anything({ maxDepth: 8 }), (input) => Object.is(shownInput(input), input)));
  });

  it('the input of a tool call is shown up to 500 levels, and replaced by a text beyond', () => {
    const input = nested(500);
    expect(shownInput(input)).toBe(input);
    expect(shownInput(nested(501))).toMatch(/more than 500 levels deep/);
    expect(shownInput(nested(1_000_000))).toBe(shownInput(nested(501)));
  });

  it('the input of a tool call is an issue of its line if a text replaces it', () => {
    const call = (input: unknown) =>
      ({ type: 'tool_call', callId: 'c', name: 'read', input: shownInput(input) }) as const;
    const parts = [call({ path: 'a' }), call(nested(600)), { type: 'text', text: 'x' } as const, call(nested(700))];
    expect(tooDeepIssues(parts, 7).map(({ line }) => line)).toEqual([7, 7]);
  });

  it('the input of a tool call is looked at once, level by level, however wide it is', () => {
    let reads = 0;
    const ownKeys = (target: object) => {
      reads += 1;
      return Reflect.ownKeys(target);
    };
    const counting = (value: object): object => new Proxy(value, { ownKeys });
    const wide = Array.from({ length: 500 }, () => counting({ list: counting([1, 2, 3]) }));
    shownInput({ wide });
    expect(reads).toBe(1000);
  });

  it('the input of a tool call is replaced in a conversation that Strata keeps itself, too', () => {
    const part = { type: 'tool_call', callId: 'c', name: 'read', input: nested(20_000) };
    const entry = readWrittenEntry({ id: 'a', role: 'assistant', parts: [part] }, { file: 'own.jsonl', line: 3 });
    expect(toolCalls(entry?.parts ?? []).map(({ input }) => input)).toEqual([shownInput(nested(501))]);
  });
});
