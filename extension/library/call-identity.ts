import type { RequestIdentity } from '../middleware/requests/recording';

/** How an adapter knows which conversation a call belongs to, and which tenant. `C`: the description of a call. */
export interface IdentityOptions<C> {
  /**
   * Returns the key of a call's conversation, such as the id of a thread; undefined for a call without one, whose conversation
   * is recognized by its beginning. Absent: all are.
   */
  readonly conversation?: (call: C) => string | undefined;
  /** The tenant of all calls, or of each. Nothing of one tenant is ever in a request, a list or a search of another. Absent: none. */
  readonly scope?: string | ((call: C) => string | undefined);
}

/** The option `scope` named no tenant for a call. The call is not made, because it would join the conversations without a tenant. */
export class ScopeMissing extends Error {
  override name = 'ScopeMissing';
}

export function identityOf<C>({ conversation, scope }: IdentityOptions<C>, call: C): RequestIdentity {
  const key = conversation?.(call);
  const tenant = typeof scope === 'function' ? scope(call) : scope;
  if (scope !== undefined && !tenant) throw new ScopeMissing('The option `scope` named no tenant for this call.');
  return { ...(key ? { conversation: key } : {}), ...(tenant === undefined ? {} : { scope: tenant }) };
}
