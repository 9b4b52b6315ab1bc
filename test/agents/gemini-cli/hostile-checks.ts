import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineFormat } from '../../../extension/sessions/adapter';
import { build } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { anyValue, damaged } from './damage';
import { countVisitedItems } from './work';

/**
 * Checks of malformed files for every adapter of the Gemini family.
 * @param lines a real session.
 * @param record one of many replies in a file.
 */
export function describeHostileFiles(
  adapter: LineFormat,
  lines: readonly string[],
  record: (index: number) => unknown,
): void {
  describe('malformed files', () => {
    it('yield a context that a provider accepts from any records', () => {
      const records = fc.array(anyValue, { maxLength: 12 });
      fc.assert(
        fc.property(records, (values) =>
          check(
            adapter,
            values.map((value) => JSON.stringify(value)),
          ),
        ),
        { numRuns: 500 },
      );
    });

    it('are read without failing, whatever text they contain', () => {
      fc.assert(fc.property(fc.array(fc.string()), (texts) => check(adapter, texts)));
    });

    it('yield a context that a provider accepts from a damaged session', () => {
      fc.assert(
        fc.property(damaged(lines), (texts) => check(adapter, texts)),
        { numRuns: 150 },
      );
    });

    it('may be nested deeper than JSON.stringify supports', () => {
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      const texts = lines.map((line) => line.replace(/"(args|response|functionCall)":\{/g, `"$1":{"deep":${deep},`));
      const { issues } = build(adapter, texts.slice(0, 12));
      expect(issues.some((issue) => String(issue.message).includes('nested'))).toBe(true);
    });

    it('cost the same per line in longer files', () => {
      const workFor = (count: number): number => {
        const builder = adapter.createBuilder('session.jsonl');
        for (const [index, line] of lines.entries()) builder.accept({ number: index + 1, text: line });
        return countVisitedItems(() => {
          for (let index = 0; index < count; index += 1) {
            builder.accept({ number: lines.length + index + 1, text: JSON.stringify(record(index)) });
          }
        });
      };
      expect(workFor(500)).toBeGreaterThan(0);
      expect(workFor(1000)).toBeLessThan(2.1 * workFor(500));
    });
  });
}

function check(adapter: LineFormat, records: readonly unknown[]): void {
  const { conversation } = build(adapter, records);
  const ids = new Set(conversation.entries.map((entry) => entry.id));
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  expect(ids.size).toBe(conversation.entries.length);
  const replaced = conversation.agentCompactions.flatMap((compaction) => compaction.replacedEntryIds);
  expect(replaced.filter((id) => !ids.has(id))).toEqual([]);
}
