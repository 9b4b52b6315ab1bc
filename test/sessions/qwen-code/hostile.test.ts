import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/sessions/qwen-code/adapter';
import { build, linesOf } from '../build';
import { contextFaults } from '../context-faults';
import { anyValue, damaged } from '../gemini-cli/damage';
import { fixtures } from '../samples';

const lines = linesOf(join(fixtures, 'qwen-code-0.24', 'chats', '8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl'));

function check(records: readonly unknown[]): void {
  const { conversation } = build(qwenCode, records);
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  expect(new Set(conversation.entries.map((entry) => entry.id)).size).toBe(conversation.entries.length);
}

describe('hostile files', () => {
  it('never fail, and never lead to a context that a provider would refuse', () => {
    const records = fc.array(anyValue, { maxLength: 12 });
    fc.assert(
      fc.property(records, (values) => check(values.map((value) => JSON.stringify(value)))),
      { numRuns: 500 },
    );
  });

  it('never fail, whatever text they hold', () => {
    fc.assert(fc.property(fc.array(fc.string()), (texts) => check(texts)));
  });

  it('never fail where a real session was damaged', () => {
    fc.assert(fc.property(damaged(lines), check), { numRuns: 150 });
  });

  it('may be nested deeper than anything can be written', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const texts = lines.map((line) => line.replace(/"(args|response|functionCall)":\{/g, `"$1":{"deep":${deep},`));
    const { issues } = build(qwenCode, texts.slice(0, 12));
    expect(issues.some((issue) => issue.message.includes('nested'))).toBe(true);
  });

  it('take no longer for a line the more lines there are', () => {
    const milliseconds = (count: number): number => {
      const builder = qwenCode.createBuilder('session.jsonl');
      builder.accept({ number: 1, text: JSON.stringify({}) });
      const started = performance.now();
      for (let index = 0; index < count; index += 1) {
        builder.accept({
          number: index + 2,
          text: JSON.stringify({
            type: 'assistant',
            uuid: `u${index}`,
            parentUuid: `u${index - 1}`,
            message: { parts: [{ text: 'x' }] },
          }),
        });
      }
      builder.session();
      return performance.now() - started;
    };
    milliseconds(2000);
    expect(milliseconds(40_000)).toBeLessThan(20 * (milliseconds(4000) + 20));
  });
});
