/** How long a silent agent may still be thinking or running a tool: a model seldom needs longer for a reply. */
export const liveMilliseconds = 2 * 60 * 1000;

interface LifeSigns {
  /** A running process has recorded that it has this session open. */
  readonly inUse: boolean;
  /** The process that had it open ended without closing it. */
  readonly isLeft: boolean;
  /** Milliseconds since the epoch: the last time the file was written. */
  readonly modified: number;
  readonly awaitsReply: boolean;
}

/**
 * Whether an agent is at work in a session. If no process has recorded it, a file that was written just now and waits for an answer counts
 * as live: in doubt, a session is live, and nothing may be written to it.
 */
export function isLive(signs: LifeSigns, now: number): boolean {
  // A time in the future comes from a wrong clock. It must not make a session live for ever.
  return signs.inUse || (!signs.isLeft && signs.awaitsReply && Math.abs(now - signs.modified) <= liveMilliseconds);
}
