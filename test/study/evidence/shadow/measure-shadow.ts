import type { Branch } from '../../../../extension/engine/conversation/branch';
import { isPrompt } from '../../../../extension/engine/conversation/entry';
import { findStrategy } from '../../../../extension/engine/run/prepare/registry';
import type { Boundary } from '../../../../extension/evaluation/measure/replay/boundaries';
import { findHeld, needsOf } from '../../../../extension/evaluation/measure/replay/measure';
import { namesIn, textOfMessages, usedBy } from '../../../../extension/evaluation/measure/replay/names';
import { type Remainder, runStrategy, type WayOrder } from '../../../../extension/evaluation/measure/replay/ways';
import type { ShadowWay } from '../found';
import { laterCommit, waits } from './later-steps';
import { NamesTogether, nameLine } from './repair-by-use';

type Order = Omit<WayOrder, 'budget'> & { readonly pause: () => Promise<void> };

/** Strategies that are prepared. */
const strategies = ['checkpoint', 'ladder'] as const;

/** Tokens of the block, as a share of what it replaces. */
const blockShare = 0.05;

/** Share of the block's tokens for names that are put back. */
const repairShare = 0.25;

/**
 * Measures compactions that are prepared at a boundary and carried out some steps later, at equal tokens: as they were
 * prepared, repaired by what the steps used, with as many of the names that earlier work used most, and written when
 * they are carried out. The steps stay unchanged.
 */
export async function measureShadow(branch: Branch, boundary: Boundary, order: Order): Promise<ShadowWay[]> {
  const commits = waits.flatMap((steps) => laterCommit(branch, boundary, steps) ?? []);
  if (commits.length === 0) return [];
  const budget = Math.round(order.ledger.ofEntries(boundary.replaced) * blockShare);
  const together = new NamesTogether(boundary.replaced);
  const ways: ShadowWay[] = [];
  for (const strategy of strategies) {
    const choice = findStrategy(strategy);
    if (!choice) continue;
    const run = async (at: Boundary, tokens: number) => {
      await order.pause();
      order.signal.throwIfAborted();
      return await runStrategy(choice, at, { ...order, budget: Math.round(tokens) });
    };
    const whole = await run(boundary, budget);
    const part = await run(boundary, budget * (1 - repairShare));
    for (const commit of commits) {
      const { tail, after, steps } = commit;
      const needs = needsOf({ ...boundary, after });
      const tailText = textOfMessages(tail);
      const tailTokens = order.ledger.ofEntries(tail);
      const room = whole.tokens - part.tokens;
      const withNames = (names: readonly string[], context: string) => {
        const line = nameLine(names, { context, room, countTokens: order.ledger.countText });
        return { text: part.text + line, tokens: part.tokens + order.ledger.countText(line) };
      };
      const used = namesIn(usedBy(tail, { written: false }));
      const anew = await run({ ...boundary, prompts: [...boundary.prompts, ...tail.filter(isPrompt)] }, budget);
      const withTail = (way: ShadowWay['way'], { text, tokens }: Remainder) => {
        const names = findHeld(`${text}\n${tailText}`, needs).names.length;
        ways.push({ strategy, steps, way, names, needed: needs.names.length, tokens: tokens + tailTokens });
      };
      withTail('at once', whole);
      withTail('repaired', withNames(together.byUse(used), `${part.text}\n${tailText}`));
      withTail('with names', withNames(together.byUse(), part.text));
      withTail('anew', anew);
    }
  }
  return ways;
}
