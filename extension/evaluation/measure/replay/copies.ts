import { portableSha256 } from '../../../engine/conversation/sha256';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { type Boundary, spreadEvenly } from './boundaries';
import { textOfMessages } from './names';

export interface KnownBoundary {
  /** Equal for the same boundary in all copies of a session. */
  readonly key: string;
  readonly kind: Boundary['kind'];
  /** Entries after it. */
  readonly after: number;
}

interface SessionBoundaries {
  readonly agent: string;
  /** Session id. Copies mostly share it; forks have their own. */
  readonly id: string;
  readonly boundaries: readonly KnownBoundary[];
}

export interface SessionToMeasure {
  /** Shared by all copies of a session. */
  readonly session: string;
  /** Keys of the boundaries to measure. */
  readonly keys: readonly string[];
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
    /** Maximum number of simulated boundaries per session. */
    readonly maxSimulated: number,
  ) {}

  /** Number of sessions; copies count once. */
  get sessions(): number {
    return new Set(this.#sessionOfId.values()).size;
  }

  /** The boundaries that no earlier copy had, or had with fewer entries after them. */
  boundariesToMeasure({ agent, id, boundaries }: SessionBoundaries): SessionToMeasure {
    const session = this.#sessionOf(`${agent} ${id}`, boundaries);
    const fresh = boundaries.filter((boundary) => this.#isNew(boundary));
    for (const { key, after } of fresh) this.#known.set(key, { session, after });
    const real = fresh.filter(({ kind }) => kind === 'agent');
    return { session, keys: [...real, ...this.#sampled(session, fresh)].map(({ key }) => key) };
  }

  #isNew({ key, kind, after }: KnownBoundary): boolean {
    const known = this.#known.get(key);
    return known === undefined || (kind === 'agent' && after > known.after);
  }

  #sessionOf(id: string, all: readonly KnownBoundary[]): string {
    const shared = all.map(({ key }) => this.#known.get(key)?.session).find((known) => known !== undefined);
    const session = this.#sessionOfId.get(id) ?? shared ?? id;
    this.#sessionOfId.set(id, session);
    return session;
  }

  #sampled(session: string, fresh: readonly KnownBoundary[]): KnownBoundary[] {
    const taken = this.#simulated.get(session) ?? 0;
    const simulated = fresh.filter(({ kind }) => kind === 'simulated');
    const sampled = spreadEvenly(simulated, this.maxSimulated - taken);
    this.#simulated.set(session, taken + sampled.length);
    return sampled;
  }
}

export function knownBoundary(boundary: Boundary, ledger: TokenLedger): KnownBoundary {
  return { key: keyOf(boundary, ledger), kind: boundary.kind, after: boundary.after.length };
}

function keyOf({ kind, replaced, summary }: Boundary, ledger: TokenLedger): string {
  const ends = [replaced.slice(0, 1), replaced.slice(-1)].map(textOfMessages);
  const said = JSON.stringify([kind, replaced.length, ledger.ofEntries(replaced), ...ends, summary]);
  return portableSha256(said).slice(0, 32);
}
