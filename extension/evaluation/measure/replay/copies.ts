import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { type Boundary, spreadEvenly, tokensOf } from './boundaries';
import { textOfMessages } from './names';

/** A boundary selected for measuring. */
export interface BoundaryToMeasure {
  readonly boundary: Boundary;
  /** Equal for the same boundary in all copies of a session. */
  readonly key: string;
}

export interface SessionToMeasure {
  /** Shared by all copies of a session. */
  readonly session: string;
  readonly boundaries: readonly BoundaryToMeasure[];
}

export interface SessionBoundaries {
  readonly agent: string;
  /** Session id. Copies mostly share it; forks have their own. */
  readonly id: string;
  readonly boundaries: readonly Boundary[];
}

/**
 * Recognizes copies of sessions: cut off, forked or continued. The same boundary counts once, taken from the copy with
 * most entries after it, and sessions that share a boundary count as one.
 */
export class Copies {
  readonly #sessionOfId = new Map<string, string>();
  readonly #known = new Map<string, { readonly session: string; readonly after: number }>();
  readonly #simulated = new Map<string, number>();

  constructor(
    readonly ledger: TokenLedger,
    /** Maximum number of simulated boundaries per session. */
    readonly maxSimulated: number,
  ) {}

  /** Number of sessions; copies count once. */
  get sessions(): number {
    return new Set(this.#sessionOfId.values()).size;
  }

  /** The boundaries that no earlier copy had, or had with fewer entries after them. */
  boundariesToMeasure({ agent, id, boundaries }: SessionBoundaries): SessionToMeasure {
    const all = boundaries.map((boundary) => ({ boundary, key: keyOf(boundary, this.ledger) }));
    const session = this.#sessionOf(`${agent} ${id}`, all);
    const fresh = all.filter((wanted) => this.#isNew(wanted));
    for (const { key, boundary } of fresh) this.#known.set(key, { session, after: boundary.after.length });
    const real = fresh.filter(({ boundary }) => boundary.kind === 'agent');
    return { session, boundaries: [...real, ...this.#sampled(session, fresh)] };
  }

  #isNew({ key, boundary }: BoundaryToMeasure): boolean {
    const known = this.#known.get(key);
    return known === undefined || (boundary.kind === 'agent' && boundary.after.length > known.after);
  }

  #sessionOf(id: string, all: readonly BoundaryToMeasure[]): string {
    const shared = all.map(({ key }) => this.#known.get(key)?.session).find((known) => known !== undefined);
    const session = this.#sessionOfId.get(id) ?? shared ?? id;
    this.#sessionOfId.set(id, session);
    return session;
  }

  #sampled(session: string, fresh: readonly BoundaryToMeasure[]): BoundaryToMeasure[] {
    const taken = this.#simulated.get(session) ?? 0;
    const simulated = fresh.filter(({ boundary }) => boundary.kind === 'simulated');
    const sampled = spreadEvenly(simulated, this.maxSimulated - taken);
    this.#simulated.set(session, taken + sampled.length);
    return sampled;
  }
}

function keyOf({ kind, replaced, summary }: Boundary, ledger: TokenLedger): string {
  const ends = [replaced.slice(0, 1), replaced.slice(-1)].map(textOfMessages);
  const said = JSON.stringify([kind, replaced.length, tokensOf(replaced, ledger), ...ends, summary]);
  return bytesToHex(sha256(utf8ToBytes(said))).slice(0, 32);
}
