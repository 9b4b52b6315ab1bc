import { expect, it } from 'vitest';
import { compactMessages, createConversations } from '../../extension/library';

/**
 * Tests with short turns, which have hardly anything to summarise. They are replaced all the same, and what remains of
 * them does not grow with the session.
 */

const window = 16_000;

/** Half of the window has room for this many batches. */
const mostBatches = 30;

it('400 and 600 short turns stay in a window of 16,000 tokens, and goal batches fold into ones of a higher level', async () => {
  const conversations = await createConversations({ window });
  const history: { role: 'user' | 'assistant'; content: string }[] = [];
  const sizes = new Map<number, { tokens: number; batches: number }>();
  for (let turn = 1; turn <= 600; turn += 1) {
    history.push({
      role: 'user',
      content: `Turn ${turn}: rename part ${turn} of module ${turn % 7}, and tell me what the tests in test/part-${turn}.test.ts say.`,
    });
    const { answered } = await compactMessages(conversations, history);
    const reply = {
      role: 'assistant',
      content: `Part ${turn} of module ${turn % 7} is unit ${turn} now. All ${turn + 3} tests in test/part-${turn}.test.ts pass, and the callers in src/module-${turn % 7}.ts follow.`,
    } as const;
    history.push(reply);
    await answered(reply);
    const context = conversations.newest;
    const messages = context?.messages() ?? [];
    const batches = messages.filter(({ content }) => JSON.stringify(content).includes('[GOAL BATCH]')).length;
    sizes.set(turn, { tokens: context?.tokens.total ?? 0, batches });
  }
  expect(conversations.contexts).toHaveLength(1);
  for (const { tokens, batches } of sizes.values()) {
    expect(tokens).toBeLessThanOrEqual(window);
    expect(batches).toBeLessThanOrEqual(mostBatches);
  }
  expect(sizes.get(400)?.batches).toBeGreaterThan(0);
  const levels = conversations.newest?.compactions.flatMap(({ record }) => record.tier ?? []) ?? [];
  expect(levels).toContain('level-3');
});
