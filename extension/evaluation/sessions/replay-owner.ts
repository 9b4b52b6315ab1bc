import type { ReplayBoundary } from '../measure/replay';
import type { KnownBoundary, SessionToMeasure } from '../measure/replay/copies';
import type { Skipped } from './find-sessions';

export interface SessionOrder {
  /** Index of the session among all sessions of the replay. */
  readonly at: number;
  readonly address: string;
}

export interface SessionRead extends SessionOrder {
  /** Null if none of its boundaries is measured. */
  readonly session: { readonly agent: string; readonly id: string } | null;
  readonly boundaries: readonly KnownBoundary[];
  readonly skipped: readonly Skipped[];
}

/** A measured boundary, or why it could not be measured. */
export interface Measured {
  readonly at: number;
  readonly key: string;
  readonly boundary: ReplayBoundary | null;
  readonly skipped: Skipped | null;
}

/**
 * Hands the sessions of one replay to the threads that measure them, and records
 * what they find. A measuring thread holds one session at a time.
 */
export interface ReplayOwner {
  /** Null if no session is left. */
  next(): Promise<SessionOrder | null>;
  /** The boundaries of the session to measure. Settles once all sessions before it are read, so that copies count once. */
  read(session: SessionRead): Promise<SessionToMeasure>;
  /** Settles once it is written. */
  measured(result: Measured): Promise<void>;
}

/** A call of an owner as a message. */
export type OwnerQuestion = {
  readonly [M in keyof ReplayOwner]: readonly [M, ...Parameters<ReplayOwner[M]>];
}[keyof ReplayOwner];

/** The owner as another thread sees it. */
export function ownerByMessages(ask: (question: OwnerQuestion) => Promise<unknown>): ReplayOwner {
  return {
    next: async () => (await ask(['next'])) as SessionOrder | null,
    read: async (session) => (await ask(['read', session])) as SessionToMeasure,
    measured: async (result) => void (await ask(['measured', result])),
  };
}

export async function answerFrom(owner: ReplayOwner, question: OwnerQuestion): Promise<unknown> {
  const [what] = question;
  if (what === 'next') return await owner.next();
  if (what === 'read') return await owner.read(question[1]);
  return await owner.measured(question[1]);
}
