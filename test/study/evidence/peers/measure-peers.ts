import type { TokenLedger } from '../../../../extension/engine/conversation/tokens';
import { findStrategy } from '../../../../extension/engine/run/prepare/registry';
import type { Boundary } from '../../../../extension/evaluation/measure/replay/boundaries';
import { findHeld, type Needs } from '../../../../extension/evaluation/measure/replay/measure';
import { textOfMessages } from '../../../../extension/evaluation/measure/replay/names';
import { type Remainder, runStrategy, type WayOrder } from '../../../../extension/evaluation/measure/replay/ways';
import type { PeerWay } from '../found';
import { type Peer, peers } from './peers';

/** Tokens that each algorithm may leave, as a share of what is replaced. */
const share = 0.25;

/** Strategies that are compared with the published algorithms. */
const own = ['ladder', 'checkpoint'];

/** Number of values that are tried for an algorithm's parameter. */
const steps = 40;

/** The needs of the work after a boundary, and how much of them each published algorithm keeps in the same tokens. */
export async function measurePeers(
  boundary: Boundary,
  needs: Needs,
  order: Omit<WayOrder, 'budget'> & { readonly pause: () => Promise<void> },
): Promise<PeerWay[]> {
  const budget = Math.round(order.ledger.ofEntries(boundary.replaced) * share);
  const ways: PeerWay[] = [];
  const add = (way: string, left: Remainder) => {
    const { names, messages } = findHeld(left.text, needs);
    const isWithinBudget = left.tokens <= budget;
    ways.push({ way, tokens: left.tokens, isWithinBudget, names: names.length, messages: messages.length });
  };
  for (const peer of peers) {
    await order.pause();
    order.signal.throwIfAborted();
    add(peer.name, fitting(peer, boundary, budget, order.ledger));
  }
  for (const choice of own.flatMap((name) => findStrategy(name) ?? [])) {
    await order.pause();
    order.signal.throwIfAborted();
    add(choice.name, await runStrategy(choice, boundary, { ...order, budget }));
  }
  return ways;
}

/** The result with the value that leaves most and fits; with the value 0 if none fits. */
function fitting(peer: Peer, { replaced }: Boundary, budget: number, ledger: TokenLedger): Remainder {
  const most = peer.most(replaced);
  const numbers = [...new Set(Array.from({ length: steps + 1 }, (_, step) => Math.round((most * step) / steps)))];
  const all = numbers.map((kept) => {
    const entries = peer.leave(replaced, kept);
    return { entries, tokens: ledger.ofEntries(entries) };
  });
  const fits = all.filter(({ tokens }) => tokens <= budget).sort((one, other) => other.tokens - one.tokens);
  const { entries, tokens } = fits[0] ?? all[0] ?? { entries: [], tokens: 0 };
  return { text: textOfMessages(entries), tokens };
}
