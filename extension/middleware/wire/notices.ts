/** A message for the agent's developer or the person who runs the gateway. */
export interface Notice {
  readonly kind: 'provider-side' | 'unread' | 'failed';
  readonly message: string;
}

/** Suppresses repeated notices, because agents repeat their requests. Failures are always reported. */
export function notifyOnce(notify: (notice: Notice) => void): (notice: Notice) => void {
  const told = new Set<string>();
  return (notice) => {
    if (notice.kind === 'failed') return notify(notice);
    const known = told.has(notice.message);
    told.add(notice.message);
    if (!known) notify(notice);
  };
}
