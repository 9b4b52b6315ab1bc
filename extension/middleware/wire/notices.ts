/** What the agent's developer, or who runs the gateway, should know. */
export interface Notice {
  readonly kind: 'provider-side' | 'unread' | 'failed';
  readonly message: string;
}

/** Each agent asks again and again in the same way, which need not be told again and again. What failed is always told. */
export function toldOnce(notify: (notice: Notice) => void): (notice: Notice) => void {
  const told = new Set<string>();
  return (notice) => {
    if (notice.kind === 'failed') return notify(notice);
    const known = told.has(notice.message);
    told.add(notice.message);
    if (!known) notify(notice);
  };
}
