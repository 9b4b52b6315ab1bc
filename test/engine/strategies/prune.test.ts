import { describe, expect, it } from 'vitest';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import { textOf, toolResults } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { assistant, call, long, result, talk, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

const output = long('A line of the file.', 20);

function reading(name: string) {
  return [user(`Read ${name}.`), call(name), result(name, output), assistant(`I read ${name}.`)];
}

const conversation = talk(['a', 'b', 'c', 'd', 'e'].flatMap(reading));
const outputTokens = contextOf(conversation).messages[2]?.tokens ?? 0;

function prune(protectTokens: number, changes: Parameters<typeof compact>[1] = {}) {
  return compact(conversation, { strategy: 'prune', parameters: { prune: { protectTokens } }, ...changes });
}

function outputs(messages: readonly ContextMessage[]) {
  return messages.flatMap(({ parts }) => toolResults(parts).map(({ text }) => (text === output ? 'whole' : 'pruned')));
}

describe('prune', () => {
  it('removes old tool output beyond the protected tokens, but never that of the two newest turns', async () => {
    expect(outputs((await prune(0)).after.messages)).toEqual(['pruned', 'pruned', 'pruned', 'whole', 'whole']);
    expect(outputs((await prune(outputTokens)).after.messages)).toEqual([
      'pruned',
      'pruned',
      'whole',
      'whole',
      'whole',
    ]);
  });

  it('keeps every message and every outcome in place', async () => {
    const { before, after, records } = await prune(0);
    expect(after.messages.map(({ key, role }) => [key, role])).toEqual(
      before.messages.map(({ key, role }) => [key, role]),
    );
    expect(records[0]).toMatchObject({ summaryType: 'pruned', entryIds: ['e3', 'e7', 'e11'], turnCount: 3 });
    expect(toolResults(after.messages[2]?.parts ?? [])[0]?.text).toMatch(/^\[PRUNED\]\n/);
  });

  it('does nothing by itself unless more than the minimum can go', async () => {
    const minimum = (minimumTokens: number) =>
      prune(0, { trigger: 'automatic', parameters: { prune: { protectTokens: 0, minimumTokens } } });
    expect((await minimum(3 * outputTokens)).records).toEqual([]);
    expect((await minimum(3 * outputTokens - 1)).records).toHaveLength(1);
  });

  it('does not prune twice', async () => {
    const state = foldJournal((await prune(0)).records);
    expect((await prune(0, { state })).records).toEqual([]);
  });

  it('prune is undone alone, also when a later block covers it', async () => {
    const pruned = foldJournal((await prune(0)).records);
    const { records } = await compact(conversation, {
      strategy: 'checkpoint',
      state: pruned,
      parameters: { checkpoint: { keepRecentTokens: outputTokens + 200 } },
    });
    expect(records[0]?.swallowed).toEqual([]);
    const state = foldJournal([...records, { kind: 'undo', seq: 9, time: '', compactions: [0] }], pruned);
    const context = contextOf(conversation, state);
    expect(textOf(context.messages.find((message) => message.block)?.parts ?? [])).toBe(records[0]?.text);
    expect(outputs(context.messages)).not.toContain('pruned');
  });
});
