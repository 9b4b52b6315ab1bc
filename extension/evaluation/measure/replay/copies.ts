import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { type Boundary, spread, tokensOf } from './boundaries';
import { saidBy } from './names';

/** A boundary that is to be measured. */
export interface Wanted {
  readonly boundary: Boundary;
  /** The same for the same boundary in each copy of a session. */
  readonly key: string;
}

export interface WantedOfSession {
  /** Copies of one session have the same. */
  readonly session: string;
  readonly boundaries: readonly Wanted[];
}

export interface SessionBoundaries {
  readonly agent: string;
  /** Of the session; copies mostly share it, forks have one of their own. */
  readonly id: string;
  readonly boundaries: readonly Boundary[];
}

/**
 * Sessions lie about in copies: cut off earlier, forked, continued. What is the same boundary counts once, with the
 * copy in which most came after it, and sessions that share a boundary count as one.
 */
export class Copies {
  readonly #sessionOfId = new Map<string, string>();
  readonly #known = new Map<string, { readonly session: string; readonly after: number }>();
  readonly #simulated = new Map<string, number>();

  constructor(
    readonly ledger: TokenLedger,
    /** At most so many simulated boundaries of one session. */
    readonly mostSimulated: number,
  ) {}

  /** How many sessions there were, copies counted once. */
  get sessions(): number {
    return new Set(this.#sessionOfId.values()).size;
  }

  /** Those of a session that no copy before it had, or not with as much behind them. */
  wantedOf({ agent, id, boundaries }: SessionBoundaries): WantedOfSession {
    const all = boundaries.map((boundary) => ({ boundary, key: keyOf(boundary, this.ledger) }));
    const session = this.#sessionOf(`${agent} ${id}`, all);
    const news = all.filter((wanted) => this.#isNews(wanted));
    for (const { key, boundary } of news) this.#known.set(key, { session, after: boundary.after.length });
    const real = news.filter(({ boundary }) => boundary.kind === 'agent');
    return { session, boundaries: [...real, ...this.#sampled(session, news)] };
  }

  #isNews({ key, boundary }: Wanted): boolean {
    const known = this.#known.get(key);
    return known === undefined || (boundary.kind === 'agent' && boundary.after.length > known.after);
  }

  #sessionOf(id: string, all: readonly Wanted[]): string {
    const shared = all.map(({ key }) => this.#known.get(key)?.session).find((known) => known !== undefined);
    const session = this.#sessionOfId.get(id) ?? shared ?? id;
    this.#sessionOfId.set(id, session);
    return session;
  }

  #sampled(session: string, news: readonly Wanted[]): Wanted[] {
    const taken = this.#simulated.get(session) ?? 0;
    const simulated = news.filter(({ boundary }) => boundary.kind === 'simulated');
    const sampled = spread(simulated, this.mostSimulated - taken);
    this.#simulated.set(session, taken + sampled.length);
    return sampled;
  }
}

function keyOf({ kind, replaced, summary }: Boundary, ledger: TokenLedger): string {
  const ends = [replaced.slice(0, 1), replaced.slice(-1)].map(saidBy);
  const said = JSON.stringify([kind, replaced.length, tokensOf(replaced, ledger), ...ends, summary]);
  return bytesToHex(sha256(utf8ToBytes(said))).slice(0, 32);
}
