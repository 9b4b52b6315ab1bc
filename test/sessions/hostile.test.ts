import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeSession, linesOf, piSession } from './build';
import { contextFaults } from './context-faults';
import { everySample, fixtures } from './samples';

const builds = [
  ['claude-code', claudeSession],
  ['pi', piSession],
] as const;

/** Values that agents write in places where other types are expected, and names that every object inherits. */
const names = [
  'type',
  'uuid',
  'parentUuid',
  'id',
  'parentId',
  'message',
  'role',
  'content',
  'text',
  'user',
  'assistant',
  'system',
  'attachment',
  'tool_use',
  'tool_result',
  'tool_use_id',
  'toolCall',
  'toolResult',
  'toolCallId',
  'compaction',
  'firstKeptEntryId',
  'firstKeptEntryIndex',
  'compactMetadata',
  'microcompact_boundary',
  'compact_boundary',
  'subtype',
  'usage',
  'isSidechain',
  'rendered',
  'shape',
  'sections',
  'context_edit',
  'targetId',
  'replacement',
  'session',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
];
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...names, null, true, 0, -1, Number.MAX_VALUE, 'a', 'b', 'c'),
    fc.jsonValue(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 6 }),
  ),
})).any;

/** A record of a real session in which one value is replaced by another. */
function damaged(lines: readonly string[]): fc.Arbitrary<string[]> {
  return fc.tuple(fc.array(fc.tuple(fc.nat(), fc.nat(), value), { minLength: 1, maxLength: 8 })).map(([blows]) => {
    const damagedLines = [...lines];
    for (const [line, place, replacement] of blows) {
      const index = line % damagedLines.length;
      damagedLines[index] = withReplaced(damagedLines[index] ?? '', place, replacement);
    }
    return damagedLines;
  });
}

function withReplaced(line: string, place: number, replacement: unknown): string {
  let seen = 0;
  const count = (text: string): number => {
    let values = 0;
    JSON.parse(text, (_key, item: unknown) => {
      values += 1;
      return item;
    });
    return values;
  };
  if (line === '') return JSON.stringify(replacement) ?? '';
  const target = place % count(line);
  return JSON.stringify(JSON.parse(line, (_key, item: unknown) => (seen++ === target ? replacement : item))) ?? '';
}

describe.each(builds)('hostile files of %s', (agent, build) => {
  it('hostile files never fail, and never lead to a context that a provider would refuse', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), (records) => {
        expect(
          contextFaults(build(records.map((record) => JSON.stringify(record) ?? '')).conversation.agentContext),
        ).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('hostile files never fail, whatever text they hold', () => {
    fc.assert(fc.property(fc.array(fc.string()), (lines) => void build(lines)));
  });

  it('hostile files never fail if a real session was damaged', () => {
    const sample = agent === 'pi' ? 'pi-0.87/after-compaction.jsonl' : 'claude-code-2.1.330/after-compaction.jsonl';
    const lines = linesOf(join(fixtures, sample)).filter((line) => !line.includes('"api-request'));
    fc.assert(
      fc.property(damaged(lines), (damagedLines) => {
        const { conversation } = build(damagedLines);
        expect(contextFaults(conversation.agentContext)).toEqual([]);
        expect(new Set(conversation.entries.map((entry) => entry.id)).size).toBe(conversation.entries.length);
      }),
      { numRuns: 150 },
    );
  });

  it('leave the prototypes of objects alone', () => {
    const { otherRecords } = build([
      '{"type":"__proto__","__proto__":{"polluted":true}}',
      '{"type":"constructor"}',
      '{"type":"toString"}',
    ]);
    expect(Object.keys(otherRecords).sort()).toEqual(['__proto__', 'constructor', 'toString']);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([
    [
      'lines of one reply',
      (index: number) => ({
        type: 'assistant',
        uuid: `u${index}`,
        parentUuid: `u${index - 1}`,
        id: `u${index}`,
        message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      }),
    ],
    ['copies of one id', () => ({ type: 'user', uuid: 'same', id: 'same', message: { role: 'user', content: 'x' } })],
    [
      'prompts in a row',
      (index: number) => ({
        type: 'user',
        uuid: `u${index}`,
        parentUuid: `u${index - 1}`,
        message: { role: 'user', content: 'x' },
      }),
    ],
  ])('take time in proportion to their length: %s', { timeout: 30_000 }, (_what, record) => {
    const lines = Array.from({ length: 60_000 }, (_, index) => JSON.stringify(record(index)));
    const start = performance.now();
    build(lines);
    // Less than a second on an idle machine; at quadratic cost it would take minutes.
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

it('there are samples to damage', () => {
  expect(everySample().length).toBeGreaterThanOrEqual(8);
});
